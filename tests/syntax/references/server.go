package web

import (
	"fmt"
	log "github.com/x/log"
	. "net/http"
	_ "embed"
)

type Server struct {
	*Base
	pkg.Embedded
	repo  *store.Repo
	names []string
	Log   Logger
}

type ReadWriter interface {
	Reader
	Close(ctx context.Context) error
}

func New(r *store.Repo, opts ...Option) (*Server, error) {
	s := &Server{repo: r, Log: log.New(os.Stderr)}
	var c Client
	c2 := http.NewClient(1, 2)
	x, err := s.repo.Find(fmt.Sprint(1))
	go s.run(handler)
	mux.HandleFunc("/x", s.handle)
	m := make(map[string]int)
	for _, v := range s.names { v.Do() }
	return s, nil
}

func (s *Server) run(f func()) Result { s.Base.Start(); return Result{} }
func handler() {}
func Map[T any](x List[T]) T { return Generic[int](x).Get() }
var std = New(nil)
