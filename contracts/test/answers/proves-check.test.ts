import { expect, it } from "vitest";
import { provesCheck } from "../../src/answers/commands/proves-check.ts";

const proves = (line: string) => provesCheck(line, (command) => /\bnpm test\b/.test(command));

it.each([
	"npm test",
	"cd app && npm test",
	"cd app; CI=1 npm test 2>&1",
	"npm test && npm run lint",
	"npm test && npm run lint | tail -5",
	"npm test &> log",
	"npm test || exit 1",
	"npm test; exit $?",
	"{ npm test; }",
	"(npm test)",
	"npm test;",
	'npm test -- -t "a; b | c"',
	"bash -lc 'npm test'",
	'bash -lc "cd app && npm test"',
	"set -e; npm test; echo done",
	"set -eo pipefail\nnpm test | tail\necho done",
	"yes | npm test",
	"npm test # all of them",
	"# all of them\nnpm test",
	"cd app || exit 1; npm test",
	"cd app || exit; npm test",
	"test -d app || exit $?; npm test",
	'echo "#1 of 2" && npm test',
	"cd app && \\\n  npm test",
])("%j succeeds only if its test does", (line) => {
	expect(proves(line)).toBe(true);
});

it.each([
	"npm test || true",
	"npm test; true",
	"npm test\necho done",
	"npm test | tail -20",
	"npm test 2>&1 | tail -20",
	"npm test |& tee log",
	"npm test & wait",
	"npm test &",
	"npm test && npm run lint || true",
	"npm test && echo ok; echo done",
	"npm test || exit 0",
	"npm test; exit 0",
	"true || npm test",
	"! npm test",
	"if npm test; then echo ok; fi",
	"bash -lc 'npm test || true'",
	'sh -c "npm test | tail"',
	'timeout 60 sh -c "npm test; true"',
	"set -e; npm test | tail",
	"npm run build",
	"# npm test",
	"true # && npm test",
	"true\n# npm test",
	"bash -lc 'true # npm test'",
	'timeout 60 sh -c "# npm test"',
	"exit 0; npm test",
	"exit; npm test",
	"exec true; npm test",
	"cd app || exit 0; npm test",
	"[ -f done ] && exit 0; npm test",
	"npm run lint; exit $?; npm test",
	"false && npm test || exit 1",
])("%j may succeed although its test failed, or has none", (line) => {
	expect(proves(line)).toBe(false);
});
