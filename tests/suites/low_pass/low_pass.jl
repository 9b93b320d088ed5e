# A low-pass filter by the discrete Fourier transform; without a package, by halves.

function transformed(z, sign)
    n = length(z)
    n == 1 && return z
    even = transformed(z[1:2:end], sign)
    odd = transformed(z[2:2:end], sign)
    T = real(eltype(z))
    # Computed in Float64, and rounded once.
    twist = [Complex{T}(cispi(sign * 2 * k / n)) for k in 0:n÷2-1]
    return vcat(even .+ twist .* odd, even .- twist .* odd)
end

cispi(x) = complex(cospi(x), sinpi(x))

spectrum(signal) = transformed(complex.(signal), -1)

power(spectrum) = abs2.(spectrum)

function kept(spectrum)
    low = copy(spectrum)
    low[6:end-4] .= 0
    return low
end

filtered(kept) = real.(transformed(kept, 1)) ./ length(kept)
