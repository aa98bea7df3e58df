# SPDX-License-Identifier: Apache-2.0
"""Operations of OpenCV on small images, through its OpenCL ("transparent")
path or on the processor; the results go to a file.  Compared, bytes may differ
by 1, other numbers by 1e-4 of the largest.

usage: opencv.py opencl|cpu FILE.npz [OPERATION...]
       opencv.py compare OURS.npz EXPECTED.npz...

Each operation is written once: U makes an image what the path wants.  It is a
program of its own, since only the system's Python has OpenCV.
"""
import sys

import cv2
import numpy as np

rng = np.random.default_rng(1)
H, W = 96, 128
gray = rng.integers(0, 256, (H, W), dtype=np.uint8)
inverse = 255 - gray
color = rng.integers(0, 256, (H, W, 3), dtype=np.uint8)
real = rng.random((H, W), dtype=np.float32)
other = rng.random((H, W), dtype=np.float32)
square = rng.random((64, 64), dtype=np.float32)
table = np.arange(255, -1, -1).astype(np.uint8)
smooth = cv2.GaussianBlur(gray, (5, 5), 0)
edges = cv2.Canny(cv2.GaussianBlur(gray, (9, 9), 3), 20, 60)
patch = gray[20:36, 30:46].copy()
box = np.ones((3, 3), np.uint8)
slanted = np.float32([[1, 2, 1], [0, 0, 0], [-1, -2, -1]])
affine = np.float32([[.9, .1, 3], [-.1, 1.1, 2]])
view = np.float32([[.9, .1, 3], [-.1, 1.1, 2], [.0005, .0003, 1]])
map_x, map_y = (m.astype(np.float32) for m in np.meshgrid(
    np.arange(W) * .98 + .3, np.arange(H) * .97 + .7))


def points(found):
    return np.sort(np.float32([p.pt for p in found]), axis=0)


ARITHMETIC = {
    'absdiff': lambda U: cv2.absdiff(U(gray), U(inverse)),
    'accumulateWeighted':
        lambda U: cv2.accumulateWeighted(U(real), U(other.copy()), .3),
    'add': lambda U: cv2.add(U(gray), U(gray)),
    'addWeighted': lambda U: cv2.addWeighted(U(gray), .3, U(inverse), .7, 2),
    'bitwise_and': lambda U: cv2.bitwise_and(U(gray), U(inverse)),
    'bitwise_not': lambda U: cv2.bitwise_not(U(gray)),
    'cartToPolar': lambda U: cv2.cartToPolar(U(real), U(other))[1],
    'compare': lambda U: cv2.compare(U(real), U(other), cv2.CMP_GT),
    'divide': lambda U: cv2.divide(U(real), U(other)),
    'exp': lambda U: cv2.exp(U(real)),
    'inRange': lambda U: cv2.inRange(U(color), (20, 30, 40), (200, 210, 220)),
    'log': lambda U: cv2.log(U(real + 1)),
    'magnitude': lambda U: cv2.magnitude(U(real), U(other)),
    'min': lambda U: cv2.min(U(real), U(other)),
    'multiply': lambda U: cv2.multiply(U(real), U(other)),
    'phase': lambda U: cv2.phase(U(real), U(other)),
    'pow': lambda U: cv2.pow(U(real), 2.5),
    'sqrt': lambda U: cv2.sqrt(U(real)),
    'subtract': lambda U: cv2.subtract(U(real), U(other)),
}
ARRAYS = {
    'copyMakeBorder':
        lambda U: cv2.copyMakeBorder(U(color), 3, 4, 5, 6,
                                     cv2.BORDER_REFLECT_101),
    'countNonZero': lambda U: cv2.countNonZero(U(edges)),
    'dft': lambda U: cv2.dft(U(real), flags=cv2.DFT_COMPLEX_OUTPUT),
    'flip': lambda U: cv2.flip(U(color), -1),
    'gemm': lambda U: cv2.gemm(U(square), U(square.T.copy()), 1.5, U(square),
                               .5),
    'idft': lambda U: cv2.idft(U(real)),
    'LUT': lambda U: cv2.LUT(U(gray), U(table)),
    'mean': lambda U: cv2.mean(U(color)),
    'merge': lambda U: cv2.merge([U(gray), U(gray), U(inverse)]),
    'minMaxLoc': lambda U: cv2.minMaxLoc(U(real))[:2],
    'mulSpectrums':
        lambda U: cv2.mulSpectrums(U(np.dstack([real, other])),
                                   U(np.dstack([other, real])), 0),
    'normalize':
        lambda U: cv2.normalize(U(real), None, 0, 1, cv2.NORM_MINMAX),
    'reduce': lambda U: cv2.reduce(U(gray), 1, cv2.REDUCE_SUM,
                                   dtype=cv2.CV_32S),
    'repeat': lambda U: cv2.repeat(U(gray), 2, 3),
    'split': lambda U: cv2.split(U(color))[1],
    'transpose': lambda U: cv2.transpose(U(color)),
}
COLORS = {
    f'cvtColor {name}': lambda U, code=code: cv2.cvtColor(U(color), code)
    for name, code in (
        ('GRAY', cv2.COLOR_BGR2GRAY), ('HLS', cv2.COLOR_BGR2HLS),
        ('HSV', cv2.COLOR_BGR2HSV), ('Lab', cv2.COLOR_BGR2Lab),
        ('Luv', cv2.COLOR_BGR2Luv), ('XYZ', cv2.COLOR_BGR2XYZ),
        ('YCrCb', cv2.COLOR_BGR2YCrCb), ('YUV', cv2.COLOR_BGR2YUV))
}
GEOMETRY = {
    'pyrDown': lambda U: cv2.pyrDown(U(gray)),
    'pyrUp': lambda U: cv2.pyrUp(U(gray)),
    'remap': lambda U: cv2.remap(U(gray), U(map_x), U(map_y),
                                 cv2.INTER_LINEAR),
    'resize area': lambda U: cv2.resize(U(gray), (64, 48),
                                        interpolation=cv2.INTER_AREA),
    'resize linear': lambda U: cv2.resize(U(color), (77, 51)),
    'resize nearest': lambda U: cv2.resize(U(color), (200, 150),
                                           interpolation=cv2.INTER_NEAREST),
    'warpAffine': lambda U: cv2.warpAffine(U(gray), affine, (W, H)),
    'warpPerspective': lambda U: cv2.warpPerspective(U(gray), view, (W, H)),
    'warpPolar': lambda U: cv2.warpPolar(U(gray), (64, 64), (64, 48), 40, 0),
}
FILTERS = {
    'bilateralFilter': lambda U: cv2.bilateralFilter(U(gray), 5, 30, 30),
    'blur': lambda U: cv2.blur(U(gray), (5, 5)),
    'boxFilter': lambda U: cv2.boxFilter(U(real), -1, (3, 3)),
    'dilate': lambda U: cv2.dilate(U(gray), box, iterations=2),
    'erode': lambda U: cv2.erode(U(gray), box),
    'fastNlMeansDenoising':
        lambda U: cv2.fastNlMeansDenoising(U(gray[:48, :48].copy()), None, 10,
                                           5, 9),
    'filter2D': lambda U: cv2.filter2D(U(real), -1, slanted),
    'GaussianBlur bytes': lambda U: cv2.GaussianBlur(U(gray), (3, 3), 0),
    'GaussianBlur floats': lambda U: cv2.GaussianBlur(U(real), (7, 7), 1.5),
    'Laplacian': lambda U: cv2.Laplacian(U(real), cv2.CV_32F, ksize=3),
    'medianBlur': lambda U: cv2.medianBlur(U(gray), 5),
    'morphology gradient':
        lambda U: cv2.morphologyEx(U(gray), cv2.MORPH_GRADIENT, box),
    'morphology top hat':
        lambda U: cv2.morphologyEx(U(gray), cv2.MORPH_TOPHAT, box),
    'Scharr': lambda U: cv2.Scharr(U(real), cv2.CV_32F, 1, 0),
    'sepFilter2D':
        lambda U: cv2.sepFilter2D(U(real), -1, np.float32([1, 2, 1]),
                                  np.float32([1, 0, -1])),
    'Sobel': lambda U: cv2.Sobel(U(gray), cv2.CV_16S, 1, 0),
}
VISION = {
    'adaptiveThreshold':
        lambda U: cv2.adaptiveThreshold(U(gray), 255,
                                        cv2.ADAPTIVE_THRESH_MEAN_C,
                                        cv2.THRESH_BINARY, 11, 2),
    'calcHist': lambda U: cv2.calcHist([U(gray)], [0], None, [256], [0, 256]),
    'calcOpticalFlowFarneback':
        lambda U: cv2.calcOpticalFlowFarneback(
            U(gray), U(np.roll(gray, 1, 1)), None, .5, 2, 9, 2, 5, 1.1, 0),
    'Canny': lambda U: cv2.Canny(U(gray), 80, 160),
    'CLAHE': lambda U: cv2.createCLAHE(2.0, (8, 8)).apply(U(gray)),
    'cornerHarris': lambda U: cv2.cornerHarris(U(gray), 2, 3, .04),
    'cornerMinEigenVal': lambda U: cv2.cornerMinEigenVal(U(gray), 3),
    'equalizeHist': lambda U: cv2.equalizeHist(U(gray)),
    'FAST':
        lambda U: points(cv2.FastFeatureDetector_create(30).detect(U(gray))),
    'goodFeaturesToTrack':
        lambda U: cv2.goodFeaturesToTrack(U(smooth), 20, .01, 5),
    'HoughLines': lambda U: cv2.HoughLines(U(edges), 1, np.pi / 180, 25),
    'integral': lambda U: cv2.integral(U(gray)),
    'matchTemplate correlation':
        lambda U: cv2.matchTemplate(U(gray), U(patch), cv2.TM_CCORR_NORMED),
    'matchTemplate differences':
        lambda U: cv2.matchTemplate(U(gray), U(patch), cv2.TM_SQDIFF),
    'MOG2': lambda U: cv2.createBackgroundSubtractorMOG2(
        20, 16, True).apply(U(color)),
    'ORB': lambda U: points(cv2.ORB_create(50).detect(U(smooth), None)),
    'threshold': lambda U: cv2.threshold(U(gray), 100, 200,
                                         cv2.THRESH_BINARY)[1],
    'threshold Otsu': lambda U: cv2.threshold(U(gray), 0, 255,
                                              cv2.THRESH_OTSU)[1],
}
OPERATIONS = (ARITHMETIC | ARRAYS | COLORS | GEOMETRY | FILTERS | VISION)


def compute(path, target, *names):
    """False if OpenCV takes another path."""
    cv2.ocl.setUseOpenCL(path == 'opencl')
    if cv2.ocl.useOpenCL() != (path == 'opencl'):
        return False
    results = {}
    for name in names or OPERATIONS:
        try:
            out = OPERATIONS[name](cv2.UMat if path == 'opencl' else
                                   np.asarray)
        except cv2.error as error:
            print(f'{name}: {error}')
            continue
        results[name] = np.asarray(
            out.get() if isinstance(out, cv2.UMat) else out)
    np.savez(target, **results)
    return True


def comparable(name, values):
    """Canny's border depends on its tiles; lines come in any order."""
    if name == 'Canny':
        return values[1:-1, 1:-1]
    if name == 'HoughLines':
        lines = values.reshape(-1, values.shape[-1])
        return lines[np.lexsort(lines.T)]
    return values


def same(name, ours, theirs):
    ours, theirs = comparable(name, ours), comparable(name, theirs)
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return False
    apart = np.abs(ours.astype(float) - theirs.astype(float)).max()
    largest = np.abs(theirs.astype(float)).max()
    return apart <= (1 if ours.dtype == np.uint8 else 1e-4 * max(1, largest))


def compare(ours, *expected):
    """Later files go before earlier ones.  Prints a verdict for each."""
    found, wanted = dict(np.load(ours)), {}
    for path in expected:
        wanted.update(np.load(path))
    for name, values in wanted.items():
        right = name in found and same(name, found[name], values)
        print(f'{name}: {"pass" if right else "fail"}')
    return True


if __name__ == '__main__':
    done = (compare(*sys.argv[2:]) if sys.argv[1] == 'compare' else
            compute(*sys.argv[1:]))
    sys.exit(None if done else 'OpenCV finds no OpenCL device')
