using LinearAlgebra

identity(x) = x

shapes(a, b) = (a, b)

none_in() = 2.5

function noise(x)
    println("printed noise")
    display([1, 2])
    ccall(:puts, Cint, (Cstring,), "C noise")
    run(`echo echoed noise`)
    close(stdin)
    return x
end

function boom(x)
    y = x .+ 1
    error("it went\n  wrong")  # line of boom
end

deep(x) = deep(x)[1] + 1

text(x) = "four"

nothing_at_all(x) = nothing

lonely(x) = (x,)

raised(x) = x .+ 1

overflow(x) = exp.(x .* 1000)

grandchild(x) = getpid(run(`sleep 600`, wait = false))

function hang(x)
    while true
        sleep(0.1)
    end
end

function quits(x)
    println("last words")
    exit(3)
end

killed(x) = (ccall(:kill, Cint, (Cint, Cint), getpid(), 9); sleep(10))

wrong_arity(x, y, z = 1) = x

not_a_function = 3

# Julia's own: lazy arrays, array types that no other module knows, names that Base has.
adjoint_of(x) = x'
a_range(x) = 1:4
a_view(x) = view(x, 1:1, :)
bits(x) = x .> 2
diagonal(x) = Diagonal([1.0, 2.0])
a_rational(x) = 1 // 2
anything(x) = Any[1.0, "a"]
any_numbers(x) = Any[1, 2.5, true]
any_complex(x) = Any[1 2.5im]
no_any(x) = Any[]
keys(x) = x .+ 1
struct Twice <: AbstractMatrix{Float64}
    of::Matrix{Float64}
end
Base.size(t::Twice) = size(t.of)
Base.getindex(t::Twice, i::Int, j::Int) = 2 * t.of[i, j]
lazy(x) = Twice(x)
argument_type(x) = x isa Matrix{Float64} ? 1.0 : 0.0
scalar_type(x) = x isa Float64 ? 1.0 : 0.0
varied(x, y...) = x
typed(x::AbstractMatrix{T}, y::AbstractMatrix{T}) where {T} = x + y
