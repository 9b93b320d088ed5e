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

function spectrum(signal)
    transform = transformed(complex.(signal), -1)
    return real.(transform), imag.(transform)
end

power(real_part, imaginary_part) = abs2.(complex.(real_part, imaginary_part))

function kept(real_part, imaginary_part)
    kept_real, kept_imaginary = copy(real_part), copy(imaginary_part)
    kept_real[6:end-4] .= 0
    kept_imaginary[6:end-4] .= 0
    return kept_real, kept_imaginary
end

function filtered(kept_real, kept_imaginary)
    transform = complex.(kept_real, kept_imaginary)
    return real.(transformed(transform, 1)) ./ length(transform)
end
