// mkimage [-pause] BINARY NAME:TAG... > image.tar: a docker-archive of one layer with /tool in it.
package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
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

func main() {
	entry := []string{"/tool"}
	if os.Args[1] == "-pause" { // an image ID of its own, or the runtime takes the one name for the other
		entry = append(entry, "pause")
		os.Args = os.Args[1:]
	}
	bin, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	none := []byte{}
	layer := tarOf("tool", bin, int64(0o755), "etc/", none, int64(0o755), "tmp/", none, int64(0o777), "dev/", none, int64(0o755))
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
