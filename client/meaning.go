package main

import "fmt"

// What a random write figure is compared with: the published rate of a 5400 rpm laptop disk, and what the SD
// specification asks of the application performance classes.
const (
	laptopDiskIOPS = 90
	a1WriteIOPS    = 500
	a2WriteIOPS    = 2000
)

// meaning puts a 4K random write rate into words.
func meaning(iops float64) string {
	text := fmt.Sprintf("4K random writes decide how quick a small computer feels. This module does %.*f a second, ", places(iops), iops)
	switch ratio := iops / laptopDiskIOPS; {
	case ratio >= 1.1:
		text += fmt.Sprintf("%.1f times as many as", ratio)
	case ratio > 0.9:
		text += "about as many as"
	default:
		text += fmt.Sprintf("%.1f times fewer than", 1/ratio)
	}
	text += fmt.Sprintf(" a 5400 rpm laptop disk (%d). ", laptopDiskIOPS)
	switch {
	case iops >= a2WriteIOPS:
		text += fmt.Sprintf("That is more than class A2 asks for (%d),", a2WriteIOPS)
	case iops >= a1WriteIOPS:
		text += fmt.Sprintf("That is between what class A1 (%d) and class A2 (%d) ask for,", a1WriteIOPS, a2WriteIOPS)
	default:
		text += fmt.Sprintf("That is less than class A1 asks for (%d),", a1WriteIOPS)
	}
	return text + " but the classes are measured differently: without a sync of each write, and A2 with many writes at once."
}
