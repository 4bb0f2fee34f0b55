package cluster

import "time"

func init() { patience = 5 * time.Second }
