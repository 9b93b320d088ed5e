# A low-pass filter with a Fourier transform of our own, by halves: the standard library has none.

const YEARS = 8

function transform(x, sign)
    n = length(x)
    n == 1 && return x
    even, odd = transform(x[1:2:end], sign), transform(x[2:2:end], sign)
    turned = cispi.(sign * 2 .* (0:n÷2-1) ./ n) .* odd
    [even .+ turned; even .- turned]
end

cispi(t) = complex(cospi(t), sinpi(t))

spectrum(number) = transform(complex(number), -1)

power(spectrum) = abs2.(spectrum[2:length(spectrum)÷2+1])

period(power) = 2 * length(power) / argmax(power)

function passed(spectrum)
    n = length(spectrum)
    [min(k, n - k) > n ÷ YEARS ? zero(spectrum[1]) : spectrum[k+1] for k in 0:n-1]
end

smooth(passed) = real.(transform(passed, 1)) ./ length(passed)
