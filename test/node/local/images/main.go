// One static program for every container of the suite.
//
//	tool pause                 the sandbox
//	tool sleep [S]             runs for S seconds (for ever without), ends with 0 on SIGTERM
//	tool stubborn              ignores SIGTERM
//	tool slow S                ends S seconds after SIGTERM
//	tool term CODE             ends with CODE on SIGTERM, which it ignores if the code is -1
//	tool lose ARGUMENT...      loses a child to the OOM killer, then runs on as the tool with these arguments
//	tool exit CODE [S]         ends with CODE after S seconds, and says so in the termination log
//	tool serve PORT FILE       answers 200 on /, but 503 while FILE exists
//	tool eat MIB [CODE]        takes so much memory, then runs on, and ends with CODE on SIGTERM
//	tool fill FILE MIB [CODE]  writes a file of that size, then runs on, and ends with CODE on SIGTERM
//	tool check FILE            for exec probes: 1 while FILE exists
//	tool unshut FILE           for exec probes: waits for as long as FILE exists
package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

func arg(n int, or string) string {
	if len(os.Args) > n {
		return os.Args[n]
	}
	return or
}

func seconds(s string) time.Duration {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return time.Duration(f * float64(time.Second))
}

// await ends the program with a code on SIGTERM, which it ignores if the code is -1.
func await(term <-chan os.Signal, text string) {
	code, _ := strconv.Atoi(text)
	for range term {
		if code >= 0 {
			os.Exit(code)
		}
	}
}

func main() {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM, syscall.SIGINT)
	switch arg(1, "pause") {
	case "pause":
		chld := make(chan os.Signal, 1)
		signal.Notify(chld, syscall.SIGCHLD)
		for {
			select {
			case <-term:
				return
			case <-chld:
				var ws syscall.WaitStatus
				for {
					pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG, nil)
					if pid <= 0 || err != nil {
						break
					}
				}
			}
		}
	case "sleep":
		fmt.Println("asleep")
		if s := arg(2, ""); s != "" {
			select {
			case <-term:
			case <-time.After(seconds(s)):
			}
			return
		}
		<-term
	case "stubborn":
		for range term {
		}
	case "slow":
		<-term
		time.Sleep(seconds(arg(2, "5")))
	case "term":
		await(term, arg(2, "0"))
	case "lose":
		child := exec.Command(os.Args[0], "doomed")
		fmt.Println("the child:", child.Run())
		panic(syscall.Exec(os.Args[0], append([]string{os.Args[0]}, os.Args[2:]...), os.Environ()))
	case "doomed":
		// The kernel kills it before its parent.
		_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0o644)
		for all := [][]byte{}; ; {
			b := make([]byte, 1<<20)
			for j := range b {
				b[j] = 1
			}
			all = append(all, b)
		}
	case "exit":
		code, _ := strconv.Atoi(arg(2, "0"))
		fmt.Println("to end with", code)
		select {
		case <-term:
			os.Exit(143)
		case <-time.After(seconds(arg(3, "0"))):
		}
		_ = os.WriteFile("/dev/termination-log", []byte(fmt.Sprintf("ended with %d", code)), 0o644)
		os.Exit(code)
	case "serve":
		file := arg(3, "/nowhere")
		srv := &http.Server{Addr: ":" + arg(2, "8080"), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if _, err := os.Stat(file); err == nil {
				w.WriteHeader(503)
				return
			}
			fmt.Fprintln(w, "ok")
		})}
		go func() {
			<-term
			os.Exit(0)
		}()
		fmt.Println(srv.ListenAndServe())
		os.Exit(1)
	case "eat":
		n, _ := strconv.Atoi(arg(2, "100"))
		var all [][]byte
		for i := 0; i < n; i++ {
			b := make([]byte, 1<<20)
			for j := range b {
				b[j] = 1
			}
			all = append(all, b)
			time.Sleep(5 * time.Millisecond)
		}
		await(term, arg(3, "0"))
		runtime.KeepAlive(all)
	case "fill":
		n, _ := strconv.Atoi(arg(3, "10"))
		if err := os.WriteFile(arg(2, "/f"), make([]byte, n<<20), 0o644); err != nil {
			panic(err)
		}
		await(term, arg(4, "0"))
	case "unshut":
		for {
			if _, err := os.Stat(arg(2, "/nowhere")); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	case "check":
		if _, err := os.Stat(arg(2, "/nowhere")); err == nil {
			os.Exit(1)
		}
	}
}
