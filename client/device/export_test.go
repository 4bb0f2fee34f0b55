package device

import "os"

// Describe returns what the user reads about a whole device with the contents of the file.
func Describe(file string) ([]string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	lines, _, err := Target{Dir: file, Disk: Disk{SizeBytes: info.Size()}}.examine()
	return lines, err
}

// SignatureNames are all names that the table knows.
func SignatureNames() (names []string) {
	for _, s := range signatures {
		names = append(names, s.name)
	}
	return names
}
