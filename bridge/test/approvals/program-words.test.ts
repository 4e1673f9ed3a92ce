import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addsNoOption, programWords } from "../../src/approvals/program-words.ts";

describe("[D2] the first words of a command", () => {
	it.each([
		["npm test", ["npm", "test"]],
		['npm test -- --grep "a b"', ["npm", "test"]],
		["npm run build -- --watch", ["npm", "run", "build"]],
		["cargo build --release", ["cargo", "build"]],
		["git status", ["git", "status"]],
		["git commit -m 'Fix the parser'", ["git", "commit"]],
		["pytest tests/test_a.py", ["pytest"]],
		["ls -la src", ["ls"]],
		["grep -rn word src", ["grep"]],
		["make test -j4", ["make", "test"]],
		["git commit -am 'Parse'", ["git", "commit"]],
		["pip install matplotlib", ["pip", "install"]],
		["mytool build ./notes.txt", ["mytool", "build"]],
		["npm test --prefix /other", ["npm", "test"]],
		["make test -fother.mk", ["make", "test"]],
	])("of %j name what it does", (line, words) => {
		expect(programWords(line)).toEqual(words);
	});

	it.each([
		...["rm -rf build/1", "RM -rf x", "rm.exe x", "mv a b", "find . -delete", "tar xf a.tar", "curl https://a.b/c"],
		...["sudo npm test", "env npm test", "nice npm test", "timeout 5 npm test", "xargs npm test", "time npm test", "busybox ls"],
		...["sh -c ls", "bash -lc 'npm test'", "Bash -c ls", "zsh x.sh", "cmd.exe /c dir", "pwsh -c ls", "eval ls", ". ./x", "source x"],
		...[
			"python -c 'print'",
			"python3.12 x.py",
			"python3 -m pip install x",
			"node -e 1",
			"node24 x.js",
			"perl x",
			"ruby x",
			"awk x",
			"npx vitest",
		],
		...["./build.sh", "/bin/ls", "../ls", "node_modules/.bin/vitest", "~/x", "C:/x/y"],
		...["npm", "npm --silent test", "npm run", "npm run --silent build", "npm exec vitest", "npm x vitest", "pnpm dlx x", "yarn node x"],
		...["git", "git -c a.b=c status", "git -C /other status", "git config a b", "docker run x", "docker exec a ls", "docker compose run x"],
		...[
			"kubectl exec a ls",
			"cargo run",
			"uv run x",
			"poetry run x",
			"go run x",
			"make SHELL=/tmp/x test",
			"make test CC=x",
			"FOO=1 npm test",
		],
		...["npm test -- bash", "npm test --script-shell=bash", "uniq a b"],
	])("are not known of %j: it is known to the letter only", (line) => {
		expect(programWords(line)).toBeUndefined();
	});

	it.each([
		...["npm test; rm x", "npm test && rm x", "npm test || rm x", "npm test | tee x", "npm test & rm x", "npm test > x", "npm test < x"],
		...[
			"npm test $(rm x)",
			"npm test `rm x`",
			"npm test $HOME",
			"npm test $" + "{x}",
			"npm test *",
			"npm test ?",
			"npm test [a]",
			"npm test {a,b}",
		],
		...[
			"npm test ~",
			"npm test !!",
			"npm test # x",
			"npm test \\",
			"npm test \\\n",
			"npm test\nrm x",
			"npm test\rrm x",
			"npm test\trm",
			"npm test\0",
		],
		...[
			"npm test %PATH%",
			"npm test ^& rm x",
			'npm test "$(rm x)"',
			'npm test "a',
			"npm test 'a",
			'npm test "a\'b"',
			"'npm' test",
			'"rm" x',
		],
		...["npm\u00a0test", "npm test \u202ex", "npm\u200b test", "\u0440m x", "nрm test", "npm test é", " npm test", "npm test ", "", " "],
	])("are not known of %j: a shell may read more than one command in it", (line) => {
		expect(programWords(line)).toBeUndefined();
	});

	it("are not known of a very long line", () => {
		expect(programWords(`npm test ${"a".repeat(5_000)}`)).toBeUndefined();
	});
});

describe("[D2] a granted command covers", () => {
	it.each([
		["npm test", "npm test a.test.ts /tmp/b"],
		["ls -la", "ls -la"],
		["ls -la src", "ls"],
		["pytest tests --maxfail=1 -q", "pytest -q --maxfail=1"],
		["pytest --basetemp A tests", "pytest --basetemp A other"],
		["git commit -m 'Fix it'", 'git commit -m "Fix it"'],
		["npm test -- -u", "npm test -- -u"],
	])("by %j also %j, which has no other option", (granted, line) => {
		expect(addsNoOption(line, granted)).toBe(true);
	});

	it.each([
		["pytest tests", "pytest tests --basetemp=/home/me"],
		["pytest tests", "pytest tests --pdb --pdbcls=evil:Evil"],
		["rg foo", "rg foo --hostname-bin x"],
		["go test ./...", "go test ./... -overlay=x"],
		["npm test", "npm test -w ../other"],
		["npm test", "npm test -- -u"],
		["npm test", "npm test -- a"],
		["npm test", "npm test 'a --b'"],
		["npm test", 'npm test "--b"'],
		["npm test", "npm test -"],
		["pytest --basetemp A", "pytest --basetemp B"],
		["pytest --basetemp=A", "pytest --basetemp=B"],
		["pytest --basetemp=A", "pytest --basetemp"],
		["pytest --basetemp A", "pytest --basetemp"],
		["ls -l", "ls -l src"],
		["ls -l -a", "ls -la"],
		["ls -l", "ls -L"],
		["npm test -- --script-shell=x", "npm test --script-shell=x --"],
		["npm test 'a --b'", "npm test --b"],
		["npm test | cat -u", "npm test -u"],
	])("by %j not %j, which adds an option", (granted, line) => {
		expect(addsNoOption(line, granted)).toBe(false);
	});
});

const piece = fc.constantFrom(
	...["npm", "test", "run", "build", "ls", "git", "status", "grep", "mytool", "echo", "rm", "sudo", "bash", "-c", "env", "python3", "-rf"],
	...[
		"a.txt",
		"src/a",
		"--grep",
		"--x=y",
		"A=b",
		"'a b'",
		'"c d"',
		"'",
		'"',
		";",
		"&&",
		"|",
		">",
		"<",
		"&",
		"$(id)",
		"`id`",
		"$x",
		"*",
		"?",
	],
	...[
		"~",
		"!",
		"#",
		"\\",
		"\n",
		"\t",
		"{a,b}",
		"(",
		")",
		"[",
		"]",
		"^",
		"%x%",
		"\u202e",
		"\u200b",
		"é",
		"=",
		"-",
		"--",
		".",
		"/",
		"@x",
		":",
	],
);
const begin = fc.constantFrom("", "npm test ", "npm run build ", "git status ", "ls ", "mytool build ");
const rest = fc
	.array(fc.tuple(piece, fc.constantFrom(" ", " ", " ", "", "  ")), { minLength: 1, maxLength: 7 })
	.map((pieces) => pieces.map(([text, gap]) => text + gap).join(""));
const line = fc.tuple(begin, rest).map(([first, after]) => (first + after).trimEnd());

/** The words of every program that a real shell would start for a line. It finds none, so nothing runs. */
const SHELL = `
PATH=/nowhere; enable -n echo test pwd true false kill
command_not_found_handle() { local word; builtin printf '%s\\037' "$@"; builtin printf '\\036'; }
while IFS= read -r -d '' line; do eval "$line" 2>/dev/null; builtin printf '\\035'; done
`;

describe("[D2] a grant for first words, whatever an agent sends", () => {
	it("covers nothing in which a real shell sees another program than the button names, or more than one", { timeout: 30_000 }, () => {
		// Not more lines, since the shell starts a process for each.
		const named = fc
			.sample(line, { numRuns: 10_000, seed: 2 })
			.flatMap((text) => {
				const words = programWords(text);
				return words === undefined ? [] : [{ text, words }];
			})
			.slice(0, 2_000);
		expect(named.length).toBeGreaterThan(300);
		const { stdout } = spawnSync("/bin/bash", ["--norc", "-c", SHELL], {
			input: named.map(({ text }) => `${text}\0`).join(""),
			maxBuffer: 1e8,
		});
		const seen = stdout.toString("utf8").split("\u001d");
		for (const [index, { text, words }] of named.entries()) {
			const programs = (seen[index] ?? "").split("\u001e").filter((part) => part !== "");
			expect(programs, text).toHaveLength(1);
			expect(programs[0]?.split("\u001f").slice(0, words.length), text).toEqual(words);
		}
	});

	it("covers no option that the granted line lacks, wherever it stands", () => {
		const options = (text: string) => text.replaceAll(/["']/g, "").match(/(?<![^ ])-[^ ]*/g) ?? [];
		fc.assert(
			fc.property(line, line, (text, granted) => {
				if (programWords(text) === undefined || !addsNoOption(text, granted)) return;
				expect(options(granted)).toEqual(expect.arrayContaining(options(text)));
			}),
			{ numRuns: 20_000, seed: 3 },
		);
	});

	it("names only words that stand at the beginning of the line, as they stand there", () => {
		fc.assert(
			fc.property(line, (text) => {
				const words = programWords(text);
				if (words === undefined) return;
				expect(text.replaceAll(/ +/g, " ").startsWith(words.join(" "))).toBe(true);
				expect(text).not.toMatch(/[;&|<>$`\\*?~#!\n\r\t(){}[\]^%]|[^\x20-\x7e]/);
			}),
			{ numRuns: 20_000, seed: 1 },
		);
	});
});
