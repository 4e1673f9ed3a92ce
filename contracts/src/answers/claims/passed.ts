import { type PassedCheck, passedChecks } from "./claimed.ts";
import { isDone } from "./word-roles.ts";

/** The words for tests and for builds, in eight languages, and for linters and type checkers, whose names are English. */
const CHECKED: Readonly<Record<PassedCheck, RegExp>> = {
	tests:
		/\b(?:ci(?:\/cd)?(?= (?:is|passes|passed|build|pipeline|checks?|runs?)\b)|(?:unit|integration|e2e|regression)?[ -]?tests?|test ?suites?|suite|specs?|testsuite|pruebas?|testes?|vitest|jest|pytest)\b|测试|測試|テスト/u,
	build:
		/\b(?:builds?|compilation|kompilierung|compilación|compilação|compilazione|(?:code|project|it|everything) compiles)\b|构建|编译|ビルド|コンパイル/u,
	lint: /\b(?:lint|lints|linter|linters|linting|eslint|stylelint|oxlint|biome|ruff|clippy|flake8|pylint|rubocop)\b/u,
	types: /\b(?:type[ -]?check(?:s|er|ing)?|mypy|pyright)\b/u,
};
/** Verbs and adjectives that say that a check passes. */
const PASSES =
	/\b(?:pass|passes|passed|passing|succeeds?|succeeded|green|compiles|(?:builds?|ran|runs?|completed|finished|is|are) (?:successfully|cleanly|clean|successful|fine)|(?:0|zero|no) (?:test )?(?:failures|failed|failing)|(?:0|zero|no) (?:lint|linter|linting|type) (?:errors|issues|problems|warnings)|lints clean(?:ly)?|without (?:errors|failures)|bestehen|bestanden|grün|laufen (?:\p{L}+ )?durch|läuft (?:\p{L}+ )?durch|liefen (?:\p{L}+ )?durch|erfolgreich|passent|passe|passé|réussi(?:e|s|es|t|ssent)?|au vert|pasan|pasa|pasaron|pasado|pasaram|exitos[ao]s?|con éxito|passam|passaram|passou|sucesso|passano|passa|passati|superat[ioae]|riuscit[ao]|verdi|verdes?)\b|通过|通過|成功|全绿|合格|パス|通り|通って/u;
/**
 * Words that show that a clause does not say that a check passed: it denies, plans or requests that, is about only some checks, or is about
 * the past.
 */
const SILENT =
	/\b(?:not|never|nor|cannot|could|will|would|should|shall|may|might|must|can|to|ensure|ensures|make|makes|let|let's|if|whether|unless|once|when|until|before|so that|please|need|needs|want|only|some|most|except|yesterday|previously|earlier|nicht|kein|keine|sollte|sollten|soll|sollen|wird|werden|wenn|falls|ob|sobald|damit|bis|muss|müssen|nur|einige|zu|pas|ne|si|pour|devraient|devrait|doivent|doit|quand|afin|lorsque|no|cuando|para|deben|debe|deberían|hasta|não|se|quando|devem|deve|devem|até|non|per|dovrebbero|devono|finché|hatten?|used)\b|n't\b|\bn'|不|没|未|如果|若|应|会|能|吗|ません|ない|なかった|たら|れば|ように|はず|べき|失敗|失败/u;
const NO_FAILURE =
	/\b(?:(?:0|zero|no) (?:test )?(?:failures|failed|failing)|no (?:lint|linter|linting|type) (?:errors|issues|problems|warnings)|no problems?|no errors?|without any (?:errors|failures))\b/gu;
/** Words for checks that failed: "3 tests failed, 9 passed". */
const FAILURES =
	/\b[1-9]\d* (?:\p{L}+ )?(?:failed|failing|failures?|fehlgeschlagen)\b|\b(?:tests?|specs?|builds?) (?:still )?fail(?:s|ed)?\b/u;
const CLAUSE = /[,;:()—–]|\s-\s|\b(?:but|aber|mais|pero|mas|ma|although|because|since|weil)\b|[，；：、。]/u;

const AND = /\b(?:and|und|et|y|e)\b|&/u;
/** The maximum number of words in a part without a verb, as in "the unit tests and the build pass". A longer part says something else. */
const SUBJECT_WORDS = 3;

/**
 * The checks that a folded sentence says have passed: "all tests pass", "the build and the linter succeeded". In languages other than
 * English, only the most common words are recognized. Pure.
 */
export function passedIn(sentence: string): ReadonlySet<PassedCheck> {
	const passed = new Set<PassedCheck>();
	if (!PASSES.test(sentence) || FAILURES.test(sentence)) return passed;
	let checked: PassedCheck | undefined;
	for (const clause of sentence.split(CLAUSE)) {
		// A clause that names no check is about the check named before it: "I ran the tests, and they all pass."
		checked = checkIn(clause) ?? checked;
		if (checked === undefined || !PASSES.test(clause) || SILENT.test(clause.replace(NO_FAILURE, " "))) continue;
		const named = checksOf(clause);
		for (const check of named.length === 0 ? [checked] : named) passed.add(check);
	}
	return passed;
}

/** The checks that a clause says have passed, by the parts that "and" joins: a part without a verb shares the verb of the next part. */
function checksOf(clause: string): readonly PassedCheck[] {
	const passed: PassedCheck[] = [];
	let subjects: PassedCheck[] = [];
	for (const part of clause.split(AND)) {
		const check = checkIn(part);
		const words = part.trim().split(/\s/u);
		const isSubject = !PASSES.test(part) && words.length <= SUBJECT_WORDS && !words.some(isDone);
		if (check === undefined) subjects = [];
		else if (isSubject) subjects.push(check);
		else if (PASSES.test(part)) passed.push(...subjects.splice(0), check);
	}
	return passed;
}

/** The check that a text names, or the first of them in the order of `passedChecks`. */
function checkIn(text: string): PassedCheck | undefined {
	return passedChecks.find((check) => CHECKED[check].test(text));
}

/** Whether a folded sentence names a check. Pure. */
export function namesCheck(check: PassedCheck, sentence: string): boolean {
	return CHECKED[check].test(sentence);
}

/** Whether a participle may describe a check that passed. Pure. */
export function saysPassed(act: string): boolean {
	return PASSES.test(act) || /^(?:complete|finished|done$|fertig|abgeschlossen|termin|executed|ran$)|完成|完了/u.test(act);
}
