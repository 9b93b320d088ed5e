# One stage of a line through a geyser's eruptions: awk -f geyser.awk STAGE INPUTS OUTPUTS

function read(name, array,    n, text) {
    n = 0
    while ((getline text < (inputs "/" name ".csv")) > 0) array[++n] = text + 0
    return n
}

function write(value) { printf "%.17g\n", value > (outputs "/" stage ".csv") }

BEGIN {
    stage = ARGV[1]; inputs = ARGV[2]; outputs = ARGV[3]
    if (stage == "line") {
        n = read("eruptions", x); read("waiting", y)
        for (i = 1; i <= n; i++) { mx += x[i] / n; my += y[i] / n }
        for (i = 1; i <= n; i++) { xy += (x[i] - mx) * (y[i] - my); xx += (x[i] - mx) ^ 2 }
        write(my - xy / xx * mx); write(xy / xx)
    } else if (stage == "expected") {
        n = read("eruptions", x); read("line", b)
        for (i = 1; i <= n; i++) write(b[1] + b[2] * x[i])
    } else if (stage == "error") {
        n = read("waiting", y); read("expected", e)
        for (i = 1; i <= n; i++) s += (y[i] - e[i]) ^ 2
        write(sqrt(s / n))
    } else exit 2
}
