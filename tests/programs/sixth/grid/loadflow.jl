# Load flow, Gauss-Seidel, 5 buses
using LinearAlgebra, Printf

struct Line
    from::Int
    to::Int
    z::ComplexF64
    b::Float64       # half the charging susceptance
end

net = [Line(1, 2, 0.02 + 0.06im, 0.030), Line(1, 3, 0.08 + 0.24im, 0.025), Line(2, 3, 0.06 + 0.18im, 0.020),
       Line(2, 4, 0.06 + 0.18im, 0.020), Line(2, 5, 0.04 + 0.12im, 0.015), Line(3, 4, 0.01 + 0.03im, 0.010),
       Line(4, 5, 0.08 + 0.24im, 0.025)]
Sbase = 100.0
Pg = [0.0, 40, 0, 0, 0]
Pd = [0.0, 20, 45, 40, 60]
Qd = [0.0, 10, 15, 5, 10]
Vset = [1.06, 1.045, 1.0, 1.0, 1.0]
slack, generators, Qlimit = 1, [2], 0.4

function ybus(net, nb)
    Y = zeros(ComplexF64, nb, nb)
    for l in net
        A = [1, -1] * [1 -1] / l.z + l.b * im * I
        Y[[l.from, l.to], [l.from, l.to]] += A
    end
    Y
end

nb = length(Pg)
Y = ybus(net, nb)
Psch = (Pg - Pd) / Sbase
Qsch = -Qd / Sbase

function seidel(Y, Psch, Qsch, Vset; sweeps = 60)
    V = complex(Vset)
    Q = copy(Qsch)
    change = Float64[]
    for it in 1:sweeps
        biggest = 0.0
        for i in 1:length(V)
            i == slack && continue
            old = V[i]
            I_i = sum(Y[i, :] .* V)
            if i in generators
                Q[i] = min(imag(V[i] * conj(I_i)), Qlimit)
            end
            rest = I_i - Y[i, i] * V[i]
            new = (complex(Psch[i], -Q[i]) / conj(V[i]) - rest) / Y[i, i]
            if i in generators
                new *= Vset[i] / abs(new)
            end
            V[i] = new
            biggest = max(biggest, abs(new - old))
        end
        push!(change, biggest)
    end
    V, Q, change
end

V, Q, change = seidel(Y, Psch, Qsch, Vset)
needed = findfirst(change .< 1e-6)
Vm = abs.(V)
delta = rad2deg.(angle.(V))
S = V .* conj(Y * V)
Pslack, Qslack = reim(S[slack]) .* Sbase

sending = ComplexF64[]
receiving = ComplexF64[]
for l in net
    Vi, Vj = V[l.from], V[l.to]
    Iij = (Vi - Vj) / l.z
    push!(sending, Vi * conj(Iij + l.b * im * Vi))
    push!(receiving, Vj * conj(-Iij + l.b * im * Vj))
end
losses = real(sending + receiving) * Sbase
Ploss = sum(losses)
MVA = max.(abs.(sending), abs.(receiving)) * Sbase
top = argmax(MVA)
sag = 100 * (1 .- Vm / Vm[slack])

for i in 1:nb
    @printf("bus %d %.8f %.7f\n", i, Vm[i], delta[i])
end
@printf("sweeps %d Q2 %.7f\n", needed, Q[2] * Sbase)
@printf("slack %.7f %.7f\n", Pslack, Qslack)
println("from ", round.(real(sending) * Sbase, digits = 6))
println("loading ", round.(MVA, digits = 6), " heaviest ", top)
@printf("loss %.7f MW, largest drop %.7f %%\n", Ploss, maximum(sag))
