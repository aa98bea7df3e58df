/* SPDX-License-Identifier: Apache-2.0 */
/* The order of search results: words of titles, then tutorials, guides, the reference. */
var Scorer = {
    score: result => {
        const [page, , , , score] = result
        const order = [[/^tutorials\//, 12], [/^reference\//, -4], [/^decisions\//, -3]]
        const found = order.find(([pattern]) => pattern.test(page))
        return score + (found ? found[1] : 0)
    },
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: { 0: 15, 1: 5, 2: -5 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2
}
