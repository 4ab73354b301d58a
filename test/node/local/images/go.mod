module node.images

go 1.22
