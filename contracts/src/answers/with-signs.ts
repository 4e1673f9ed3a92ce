/** A check's name with a sign for success right after it, as an item of its own: "Tests: ✅", "Build ✔, unit tests ✔ (12)". */
const SIGNED =
	/((?:^|[,;|/·(])[\s>#*+•_-]{0,6}(?:(?:all|the|unit|integration|e2e|regression|alle|les|tous les|las|todas las|todos os|tutti i)[ -])?(?:tests?|test suite|builds?|compilation|pruebas?|testes?|测试|テスト|构建|ビルド))[*: =：–—-]{0,5}[✅✔☑✓🟢]\u{fe0f}?(?= ?(?:$|[,;.|()/·–—*\d]))/giu;

/** A sentence in which a check with a sign for success after it says in words that it passed. "Added tests ✅" says no such thing. Pure. */
export function withSigns(sentence: string): string {
	return /[✅✔☑✓🟢]/u.test(sentence) ? sentence.replace(SIGNED, "$1 pass") : sentence;
}
