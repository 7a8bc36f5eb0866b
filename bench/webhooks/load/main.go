// Sends one review again and again, and prints as JSON what it measured: counts, latencies, and the CPU time of the server.
//
//	load -url URL -ca FILE -body FILE -pid PID -connections 16 -seconds 4             each connection one at a time
//	load -url URL -ca FILE -body FILE -pid PID -connections 64 -seconds 4 -rate 1000  at fixed times
//	load … -list-url URL -list-body FILE                                              until the list has a response
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const ticksPerSecond = 100

// The bytes of a response that are read immediately, and those that an error shows.
const (
	pieceSize = 16 << 10
	errorSize = 300
)

type options struct {
	url, ca, body, pid     string
	listURL, listBody      string
	connections, rate      int
	seconds, warmUpSeconds float64
	expected, listExpected string
}

type result struct {
	Reviews      int     `json:"reviews"`
	WallSeconds  float64 `json:"wallSeconds"`
	CPUMicros    float64 `json:"cpuMicros"`
	P50Millis    float64 `json:"p50Ms"`
	P99Millis    float64 `json:"p99Ms"`
	ListMillis   float64 `json:"listMs,omitempty"`
	ListCPUMilli float64 `json:"listCpuMs,omitempty"`
}

func client(ca string) (*http.Client, error) {
	pem, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	// HTTP/1.1 and kept connections, as API servers call webhooks.
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: pool},
		TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{},
		MaxIdleConnsPerHost: 1000,
		WriteBufferSize:     1 << 16,
		ReadBufferSize:      1 << 16,
	}}, nil
}

// post fails unless the response contains what is expected.
func post(c *http.Client, url string, body []byte, expected string) error {
	response, err := c.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	found, begin, err := search(response.Body, expected)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK || !found {
		return fmt.Errorf("HTTP %d: %s", response.StatusCode, begin)
	}
	return nil
}

// search reads a body in pieces, because a list as a whole would delay the reviews that are measured beside it.
// It returns whether the body contains the text, and the beginning of the body.
func search(body io.Reader, text string) (found bool, begin []byte, err error) {
	piece := make([]byte, pieceSize)
	kept := 0 // bytes at the begin of the piece that were read before
	for {
		n, err := io.ReadFull(body, piece[kept:])
		read := piece[:kept+n]
		found = found || bytes.Contains(read, []byte(text))
		if begin == nil {
			begin = bytes.Clone(read[:min(len(read), errorSize)])
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return found, begin, nil
		}
		if err != nil {
			return false, nil, err
		}
		kept = copy(piece, read[len(read)-len(text):])
	}
}

// cpuSeconds is the time of all threads of a process, in user mode and in the kernel.
func cpuSeconds(pid string) float64 {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / ticksPerSecond
}

// connect opens all connections, so that handshakes are not measured.
func connect(c *http.Client, o options, body []byte) error {
	failures := make(chan error, o.connections)
	for range o.connections {
		go func() { failures <- post(c, o.url, body, o.expected) }()
	}
	for range o.connections {
		if err := <-failures; err != nil {
			return err
		}
	}
	return nil
}

// warmUp sends reviews that are not measured: after new connections, the server collects garbage.
func warmUp(c *http.Client, o options, body []byte) error {
	if o.warmUpSeconds == 0 {
		return nil
	}
	done := make(chan struct{})
	time.AfterFunc(time.Duration(o.warmUpSeconds*float64(time.Second)), func() { close(done) })
	_, err := load(c, o, body, done)
	return err
}

// load sends reviews until done is closed and returns their latencies.
func load(c *http.Client, o options, body []byte, done <-chan struct{}) ([]time.Duration, error) {
	starts := make(chan time.Time, 100_000)
	if o.rate > 0 {
		go schedule(o.rate, starts, done)
	}
	var mu sync.Mutex
	var all []time.Duration
	var failure error
	var group sync.WaitGroup
	for range o.connections {
		group.Go(func() {
			var own []time.Duration
			defer func() { mu.Lock(); all = append(all, own...); mu.Unlock() }()
			for {
				begin := time.Now()
				if o.rate > 0 {
					start, ok := <-starts
					if !ok {
						return
					}
					begin = start
				} else {
					select {
					case <-done:
						return
					default:
					}
				}
				if err := post(c, o.url, body, o.expected); err != nil {
					mu.Lock()
					failure = err
					mu.Unlock()
					return
				}
				own = append(own, time.Since(begin))
			}
		})
	}
	group.Wait()
	return all, failure
}

// schedule sends the time at which each request is due: a late response does not delay the next request.
func schedule(rate int, starts chan<- time.Time, done <-chan struct{}) {
	defer close(starts)
	begin := time.Now()
	for index := 0; ; index++ {
		due := begin.Add(time.Duration(index) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(due))
		select {
		case <-done:
			return
		case starts <- time.Now():
		}
	}
}

func measure(o options) (result, error) {
	c, err := client(o.ca)
	if err != nil {
		return result{}, err
	}
	body, err := os.ReadFile(o.body)
	if err != nil {
		return result{}, err
	}
	if err := connect(c, o, body); err != nil {
		return result{}, err
	}
	var listBody []byte
	if o.listURL != "" {
		if listBody, err = os.ReadFile(o.listBody); err != nil {
			return result{}, err
		}
	}
	if err := warmUp(c, o, body); err != nil {
		return result{}, err
	}
	begin, cpu := time.Now(), cpuSeconds(o.pid)
	done := make(chan struct{})
	var list result
	var listErr error
	if o.listURL == "" {
		time.AfterFunc(time.Duration(o.seconds*float64(time.Second)), func() { close(done) })
	} else {
		go func() {
			defer close(done)
			list, listErr = convertList(o, listBody)
		}()
	}
	latencies, err := load(c, o, body, done)
	<-done
	if err == nil {
		err = listErr
	}
	if err != nil {
		return result{}, err
	}
	if len(latencies) == 0 {
		latencies = []time.Duration{0}
	}
	slices.Sort(latencies)
	at := func(share float64) float64 {
		return float64(latencies[int(share*float64(len(latencies)-1))].Microseconds()) / 1000
	}
	used := cpuSeconds(o.pid) - cpu
	return result{
		Reviews: len(latencies), WallSeconds: time.Since(begin).Seconds(),
		CPUMicros: used * 1e6 / float64(len(latencies)), P50Millis: at(0.5), P99Millis: at(0.99),
		ListMillis: list.ListMillis, ListCPUMilli: used * 1000,
	}, nil
}

func convertList(o options, body []byte) (result, error) {
	c, err := client(o.ca)
	if err != nil {
		return result{}, err
	}
	begin := time.Now()
	err = post(c, o.listURL, body, o.listExpected)
	return result{ListMillis: float64(time.Since(begin).Microseconds()) / 1000}, err
}

func main() {
	var o options
	flag.StringVar(&o.url, "url", "", "URL of the webhook")
	flag.StringVar(&o.ca, "ca", "", "file of the authority")
	flag.StringVar(&o.body, "body", "", "file of the review")
	flag.StringVar(&o.expected, "expected", `"allowed":true`, "text that each response contains")
	flag.StringVar(&o.pid, "pid", "", "process of the server")
	flag.IntVar(&o.connections, "connections", 16, "number of connections")
	flag.IntVar(&o.rate, "rate", 0, "requests per second; 0 for as many as possible")
	flag.Float64Var(&o.seconds, "seconds", 4, "duration")
	flag.Float64Var(&o.warmUpSeconds, "warm-up-seconds", 0, "duration of the same load before the measurement")
	flag.StringVar(&o.listURL, "list-url", "", "URL of a conversion that takes place meanwhile")
	flag.StringVar(&o.listBody, "list-body", "", "file of its body")
	flag.StringVar(&o.listExpected, "list-expected", `"Success"`, "text that its response contains")
	flag.Parse()
	measured, err := measure(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(measured)
}
