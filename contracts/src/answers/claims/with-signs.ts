/** A check's name with a sign for success right after it, as an item of its own: "Tests: ✅", "Build ✔, unit tests ✔ (12)". */
const SIGNED =
	/((?:^|[,;|/·(])[\s>#*+•_-]{0,6}(?:(?:all|the|unit|integration|e2e|regression|alle|les|tous les|las|todas las|todos os|tutti i)[ -])?(?:tests?|test suite|builds?|compilation|pruebas?|testes?|测试|テスト|构建|ビルド))[*: =：–—-]{0,5}[✅✔☑✓🟢]\u{fe0f}?(?= ?(?:$|[,;.|()/·–—*\d]))/giu;

/** A sign for failure. Beside it, a sign for success may be one of several results, as in "Tests: ✅ 12, ❌ 3", or be part of a legend. */
const FAILED = /[❌✗✘✖🔴]/u;
/** A sign that a legend explains, with the explanation: "✅ = passing". */
const EXPLAINED = /[✅✔☑✓🟢❌✗✘✖🔴]\u{fe0f}? ?= ?\p{L}+/gu;

/**
 * Says in words that each check with a sign for success after it passed: "Tests: ✅" becomes "Tests pass". "Added tests ✅" is not changed,
 * because it doesn't report a check. A sentence that also has a sign for failure is not changed either, except that the signs that a legend
 * explains are removed from it, with their explanations. Pure.
 */
export function withSigns(sentence: string): string {
	if (FAILED.test(sentence)) return sentence.replace(EXPLAINED, " ");
	return /[✅✔☑✓🟢]/u.test(sentence) ? sentence.replace(SIGNED, "$1 pass") : sentence;
}
