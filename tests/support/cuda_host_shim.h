// Lets a host compiler check the syntax and the types of generated kernels. Nothing is run with it.
#pragma once
#include <cmath>
#include <cstdint>
#define REWRIGHT_HOST 1
#define __device__
#define __global__
struct Index3 {
  unsigned x, y, z;
};
static const Index3 blockIdx{0, 0, 0}, blockDim{1, 1, 1}, threadIdx{0, 0, 0};
using std::isinf;
using std::isnan;
