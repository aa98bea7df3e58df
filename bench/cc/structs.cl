// SPDX-License-Identifier: Apache-2.0
// Particles as structs, bounced off the walls.
// @kernel bounce
// @grid 64 @local 32
// @inout p f32 [float((i * 7) % 23) - 8 if i % 8 < 6 else float(i % 8) for i in range(512)]
// @f32 dt 0.5
// @f32 wall 10.0
// @tolerance 1e-5
// @expect p[6::8] = [7.0 if any(abs(p[8 * i + k] + 0.5 * p[8 * i + 3 + k]) > 10 for k in range(3)) else 6.0 for i in range(64)]
typedef struct {
    float x[3], v[3];
    float hits, mass;
} particle;

kernel void
bounce(global particle *p, float dt, float wall)
{
    particle a = p[get_global_id(0)];
    int hit = 0;
    for (int k = 0; k < 3; k++) {
        a.x[k] += dt * a.v[k];
        if (fabs(a.x[k]) > wall) {
            a.x[k] = copysign(wall, a.x[k]);
            a.v[k] = -a.v[k];
            hit = 1;
        }
    }
    a.hits += hit;
    p[get_global_id(0)] = a;
}
