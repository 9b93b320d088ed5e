# What Julia's worker is checked with.
same(x) = x

corner(x) = x[1, end]

two(a, b) = (b, a)

constant() = 2.5

boom(x) = error("it went wrong")

text(x) = "four"

void(x) = nothing

function noise(x)
    foreach(_ -> println("printed noise"), 1:1000)
    return x
end

reads(x) = (readline(stdin); x)

sleeps(x) = (sleep(0.2); x)

function hangs(x)
    while true
        sleep(0.1)
    end
end

picky(x) = any(x .< 0) ? error("negative") : 2 .* x

named(x) = (second = x .+ 1, first = x)

defaulted(x, y = 2.0) = x .* y
