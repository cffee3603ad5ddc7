"""Cases, oracle and PTX for witnesses that are compiled ahead of time, ``faulty::double``: ``y = 2 * x``, FP32."""

PTX = """
.version 7.0
.target sm_75
.address_size 64
.visible .entry double(.param .u64 x, .param .u32 count, .param .u64 y) {
    .reg .pred %p;
    .reg .b32 %i<5>;
    .reg .b64 %a<4>;
    .reg .f32 %v;
    mov.u32 %i1, %ctaid.x;
    mov.u32 %i2, %ntid.x;
    mov.u32 %i3, %tid.x;
    mad.lo.s32 %i0, %i1, %i2, %i3;
    ld.param.u32 %i4, [count];
    setp.ge.s32 %p, %i0, %i4;
    @%p bra DONE;
    ld.param.u64 %a0, [x];
    ld.param.u64 %a1, [y];
    mad.wide.s32 %a2, %i0, 4, %a0;
    mad.wide.s32 %a3, %i0, 4, %a1;
    ld.global.f32 %v, [%a2];
    add.f32 %v, %v, %v;
    st.global.f32 [%a3], %v;
DONE:
    ret;
}
"""


def doubled(x, *, fields):
    return x + x


def double(launch, x, count, y):
    done = min(count, launch.threads)
    y[:done] = x[:done] + x[:done]


DOUBLE_CASES = [
    {
        "plugin": "double",
        "namespace": "faulty",
        "name": "rows",
        "inputs": [{"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3)}],
        "reference": doubled,
        "stand_ins": {"double": double},
    }
]
