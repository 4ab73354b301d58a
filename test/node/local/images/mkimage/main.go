// mkimage [-pause] BINARY NAME:TAG... > image.tar: a docker-archive of one layer with /tool in it.
// mkimage -tree DIRECTORY ENTRYPOINT NAME:TAG... > image.tar: the same of a directory's files; words of ENTRYPOINT are apart by spaces.
package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

func tarOf(files ...any) []byte {
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for i := 0; i < len(files); i += 3 {
		body := files[i+1].([]byte)
		h := &tar.Header{Name: files[i].(string), Mode: files[i+2].(int64), Size: int64(len(body)), Typeflag: tar.TypeReg}
		if h.Name[len(h.Name)-1] == '/' {
			h.Typeflag, h.Size = tar.TypeDir, 0
		}
		if err := w.WriteHeader(h); err != nil {
			panic(err)
		}
		w.Write(body)
	}
	w.Close()
	return buf.Bytes()
}

// Links are followed: what they lead to is written.
func filesBelow(directory string) []any {
	var files []any
	entries, err := os.ReadDir(directory)
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		path := filepath.Join(directory, entry.Name())
		stat, err := os.Stat(path)
		if err != nil {
			panic(err)
		}
		if stat.IsDir() {
			files = append(files, entry.Name()+"/", []byte{}, int64(stat.Mode().Perm()))
			below := filesBelow(path)
			for i := 0; i < len(below); i += 3 {
				below[i] = entry.Name() + "/" + below[i].(string)
			}
			files = append(files, below...)
			continue
		}
		body, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		files = append(files, entry.Name(), body, int64(stat.Mode().Perm()))
	}
	return files
}

func main() {
	entry := []string{"/tool"}
	if os.Args[1] == "-pause" { // an image ID of its own, or the runtime takes the one name for the other
		entry = append(entry, "pause")
		os.Args = os.Args[1:]
	}
	isTree := os.Args[1] == "-tree"
	if isTree {
		entry = strings.Fields(os.Args[3])
		os.Args = append([]string{os.Args[0], os.Args[2]}, os.Args[4:]...)
	}
	none := []byte{}
	files := []any{"etc/", none, int64(0o755), "tmp/", none, int64(0o777), "dev/", none, int64(0o755)}
	if isTree {
		files = append(files, filesBelow(os.Args[1])...)
	} else {
		bin, err := os.ReadFile(os.Args[1])
		if err != nil {
			panic(err)
		}
		files = append(files, "tool", bin, int64(0o755))
	}
	layer := tarOf(files...)
	sum := sha256.Sum256(layer)
	config, _ := json.Marshal(map[string]any{
		"architecture": "amd64", "os": "linux", "created": "2026-01-01T00:00:00Z",
		"config":  map[string]any{"Entrypoint": entry},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + hex.EncodeToString(sum[:])}},
		"history": []any{map[string]any{"created": "2026-01-01T00:00:00Z", "created_by": "mkimage"}},
	})
	cs := sha256.Sum256(config)
	name := hex.EncodeToString(cs[:]) + ".json"
	manifest, _ := json.Marshal([]any{map[string]any{"Config": name, "RepoTags": os.Args[2:], "Layers": []string{"layer.tar"}}})
	os.Stdout.Write(tarOf("manifest.json", manifest, int64(0o644), name, config, int64(0o644), "layer.tar", layer, int64(0o644)))
}
