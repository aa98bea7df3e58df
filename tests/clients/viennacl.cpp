// SPDX-License-Identifier: Apache-2.0
// A client of ViennaCL, a C++ library that writes its OpenCL kernels itself:
// dense and sparse products, an iterative solver, against the same on the host.
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

// Prints a result of the client: name, pass or fail.
static void
report(const char *type, const char *name, double error, double most)
{
    std::printf("%s %s %s\n", type, name, error <= most ? "pass" : "fail");
    if (!(error <= most))
        std::printf("# error %g, at most %g\n", error, most);
}

template <class T>
static double
largest_difference(const viennacl::vector<T> &found, const std::vector<T> &sure)
{
    std::vector<T> host(found.size());
    viennacl::copy(found, host);
    double most = 0;
    for (size_t i = 0; i < host.size(); i++)
        most = std::fmax(most, std::fabs(double(host[i]) - double(sure[i])));
    return most;
}

template <class T>
static void
dense(const char *type, double epsilon)
{
    const size_t n = 70, m = 45;
    std::vector<std::vector<T>> a(n, std::vector<T>(m)), b(m, std::vector<T>(n));
    std::vector<T> x(m), y(n), row_sums(n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            a[i][j] = T(std::sin(double(i * m + j)));
            b[j][i] = T(std::cos(double(i + j)));
        }
    }
    for (size_t j = 0; j < m; j++)
        x[j] = T(1) / T(j + 1);
    double dot = 0, product_error = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < m; j++)
            sum += double(a[i][j]) * x[j];
        y[i] = T(sum);
    }
    for (size_t j = 0; j < m; j++)
        dot += double(x[j]) * x[j];

    viennacl::matrix<T> da(n, m), db(m, n);
    viennacl::vector<T> dx(m);
    viennacl::copy(a, da);
    viennacl::copy(b, db);
    viennacl::copy(x, dx);
    viennacl::vector<T> dy = viennacl::linalg::prod(da, dx);
    report(type, "matrix-vector", largest_difference(dy, y), 100 * epsilon);
    T inner = viennacl::linalg::inner_prod(dx, dx);
    report(type, "inner-product", std::fabs(inner - dot), 10 * epsilon);
    T norm = viennacl::linalg::norm_2(dx);
    report(type, "norm", std::fabs(norm - std::sqrt(dot)), 10 * epsilon);

    viennacl::matrix<T> dc = viennacl::linalg::prod(da, db);
    std::vector<std::vector<T>> c(n, std::vector<T>(n));
    viennacl::copy(dc, c);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            double sum = 0;
            for (size_t j = 0; j < m; j++)
                sum += double(a[i][j]) * b[j][k];
            product_error = std::fmax(product_error, std::fabs(sum - c[i][k]));
        }
    }
    report(type, "matrix-matrix", product_error, 1000 * epsilon);
}

// The matrix of the second difference: 2 on the diagonal, -1 beside it.
template <class T>
static void
sparse(const char *type, double epsilon)
{
    const size_t n = 60;
    std::vector<std::map<unsigned, T>> a(n);
    std::vector<T> x(n), y(n);
    for (size_t i = 0; i < n; i++)
        x[i] = T(std::sin(double(i)));
    for (size_t i = 0; i < n; i++) {
        a[i][unsigned(i)] = 2;
        y[i] = 2 * x[i];
        if (i > 0) {
            a[i][unsigned(i - 1)] = -1;
            y[i] -= x[i - 1];
        }
        if (i + 1 < n) {
            a[i][unsigned(i + 1)] = -1;
            y[i] -= x[i + 1];
        }
    }
    viennacl::compressed_matrix<T> da(n, n);
    viennacl::vector<T> dx(n), dy(n);
    viennacl::copy(a, da);
    viennacl::copy(x, dx);
    dy = viennacl::linalg::prod(da, dx);
    report(type, "sparse-vector", largest_difference(dy, y), 10 * epsilon);
    viennacl::vector<T> solved = viennacl::linalg::solve(
        da, dy, viennacl::linalg::cg_tag(10 * epsilon, 300));
    report(type, "conjugate-gradient", largest_difference(solved, x),
           1e5 * epsilon);
}

int
main()
{
    dense<float>("float", 0x1p-23);
    sparse<float>("float", 0x1p-23);
    dense<double>("double", 0x1p-52);
    sparse<double>("double", 0x1p-52);
    return 0;
}
