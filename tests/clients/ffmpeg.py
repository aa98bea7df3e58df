# SPDX-License-Identifier: Apache-2.0
"""The OpenCL filters of ffmpeg: three small frames through each, and through
the same filter on another OpenCL implementation.

Filters compute in floating point and round to a byte: a byte may differ by 1.
"""
from pathlib import Path

SOURCE = Path(__file__).with_name('ffmpeg.cl')

# What comes after hwupload and before hwdownload, on yuv420p.
PLAIN = {
    'avgblur': 'avgblur_opencl=2',
    'boxblur': 'boxblur_opencl=2:1',
    'convolution': 'convolution_opencl=0 -1 0 -1 5 -1 0 -1 0',
    'deshake': 'deshake_opencl=tripod=1',
    'dilation': 'dilation_opencl',
    'erosion': 'erosion_opencl',
    'nlmeans': 'nlmeans_opencl=s=3:p=3:r=5',
    'pad': 'pad_opencl=160:128:16:16',
    'prewitt': 'prewitt_opencl',
    'program': f'program_opencl=kernel=ripple:source={SOURCE.name}',
    'roberts': 'roberts_opencl',
    'sobel': 'sobel_opencl',
    'transpose': 'transpose_opencl=1',
    'unsharp': 'unsharp_opencl',
}


def upload(name, stream, to, before=''):
    return f'[{stream}]{before}format={name},hwupload[{to}];'


def download(name):
    return f',hwdownload,format={name}'


# Those with other formats or more inputs: a graph each, of as many inputs as
# it asks for.
GRAPHS = {
    'colorkey': upload('rgba', '0', 'a') +
    '[a]colorkey_opencl=red:0.3:0.2' + download('rgba'),
    'openclsrc': f'openclsrc=kernel=rings:source={SOURCE.name}:size=128x96:'
    'rate=5:format=yuv420p' + download('yuv420p'),
    'overlay': upload('yuv420p', '0', 'a') +
    upload('yuv420p', '1', 'b', 'scale=48x32,') +
    '[a][b]overlay_opencl=16:24' + download('yuv420p'),
    'overlay-alpha': upload('yuv420p', '0', 'a') +
    upload('yuva420p', '1', 'b',
           'scale=48x32,format=yuva420p,colorchannelmixer=aa=0.5,') +
    '[a][b]overlay_opencl=16:24' + download('yuv420p'),
    'remap': upload('rgba', '0', 'a') + ''.join(
        f'nullsrc=128x96:r=5,format=gray16,geq={value},hwupload[{axis}];'
        for axis, value in (('x', 'X*3/2'), ('y', 'Y+X/8'))) +
    '[a][x][y]remap_opencl=fill=red' + download('rgba'),
    'tonemap': upload('p010', '0', 'a') +
    '[a]setparams=color_primaries=bt2020:color_trc=smpte2084:'
    'colorspace=bt2020nc,tonemap_opencl=hable:format=nv12:peak=10' +
    download('nv12'),
    'xfade': upload('yuv420p', '0', 'a') +
    upload('yuv420p', '1', 'b', 'negate,') +
    '[a][b]xfade_opencl=wipeleft:duration=0.4:offset=0.1' +
    download('yuv420p'),
}
GRAPHS.update({name: upload('yuv420p', '0', 'a') + f'[a]{words}' +
               download('yuv420p') for name, words in PLAIN.items()})

# pocl 3.1 has no images of two channels of 16 bits, Oclgrind has.
ORACLES = {'tonemap': 'oclgrind'}


def frames(bench, graph, **on):
    """Three frames as bytes; none if ffmpeg fails."""
    inputs = [word for i in range(2) if f'[{i}]' in graph
              for word in ('-i', 'in.y4m')]
    target = bench.folder / 'out.raw'
    target.unlink(missing_ok=True)
    run = bench.run('ffmpeg', '-v', 'error', '-y', '-init_hw_device',
                    'opencl=gpu:0.0', '-filter_hw_device', 'gpu', *inputs,
                    '-filter_complex', graph, '-frames:v', '3',
                    '-f', 'rawvideo', target, **on)
    return target.read_bytes() if run.status == 0 else b''


def filters(bench):
    """{filter: whether its frames are the oracle's}"""
    bench.run('ffmpeg', '-v', 'error', '-y', '-f', 'lavfi', '-i',
              'testsrc2=size=128x96:rate=5:duration=1', '-frames:v', '3',
              '-pix_fmt', 'yuv420p', 'in.y4m')
    (bench.folder / SOURCE.name).write_bytes(SOURCE.read_bytes())
    same = {}
    for name, graph in sorted(GRAPHS.items()):
        ours = frames(bench, graph)
        theirs = frames(bench, graph, on=ORACLES.get(name, 'pocl'))
        same[name] = len(ours) == len(theirs) > 0 and \
            max(abs(a - b) for a, b in zip(ours, theirs)) <= 1
    return same
