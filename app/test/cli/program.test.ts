import { tmpdir } from "node:os";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import type { AppApi } from "../../src/api/app-api.ts";
import { createProgram, type ProgramContext } from "../../src/cli/program.ts";
import { commandExamples } from "../../src/cli/words/command-examples.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { freshThread } from "../support/thread-story.ts";

const NO_FOLDER_YET = "The folder does not exist yet. It is created when a run saves files in it.";

/** A program that only notes what it was asked to do. `more`: what of it is there besides. */
function program(more: Partial<ProgramContext> = {}) {
	const done: string[] = [];
	const note = (what: string) => async () => {
		done.push(what);
		return 0 as const;
	};
	const context: ProgramContext = {
		version: "1.2.3",
		console: new RecordingConsole(),
		withApp: () => {
			done.push("app");
			return Promise.reject(new Error("asked"));
		},
		onInterrupt: () => () => {},
		onLeave: () => () => {},
		config: note("config"),
		start: note("start"),
		background: note("background"),
		stop: note("stop"),
		bridge: note("bridge"),
		doctor: note("doctor"),
		service: note("service"),
		backup: note("backup"),
		restore: note("restore"),
		logs: note("logs"),
		checkTools: note("check"),
		readSecret: async () => "a-secret",
		confirm: async () => false,
		inTerminal: async () => ({ code: 0 }),
		variable: () => "from the environment",
		open: async () => {},
		openPage: note("open"),
		done: () => {},
		...more,
	};
	let said = "";
	const command = createProgram(context);
	const silence = (part: Command) => {
		part.configureOutput({
			writeOut: (text) => {
				said += text;
			},
			writeErr: (text) => {
				said += text;
			},
		});
		for (const inner of part.commands) silence(inner);
	};
	silence(command);
	const run = async (...args: string[]) => {
		said = "";
		const ended = await command.parseAsync(args, { from: "user" }).then(
			() => "done",
			(error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
		);
		return { ended, said };
	};
	return { command, run, done };
}

function pathsOf(command: Command, words: readonly string[] = []): readonly (readonly string[])[] {
	return [words, ...command.commands.flatMap((part) => pathsOf(part, [...words, part.name()]))];
}

const paths = pathsOf(program().command);

/** As a shell takes it apart. */
function argsOf(example: string): string[] {
	return [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

describe("the command", () => {
	it("says its version", async () => {
		for (const flag of ["--version", "-V"]) expect(await program().run(flag)).toEqual({ ended: "commander.version", said: "1.2.3\n" });
	});

	it.each(paths.map((words) => [words.join(" "), words] as const))(
		"explains %j with its options and examples that can be typed",
		async (name, words) => {
			const { ended, said } = await program().run(...words, "--help");
			expect(ended).toBe("commander.helpDisplayed");
			expect(said).toContain(`Usage: npm run -s xworkmate -- ${name}`.trim());
			expect(said).toMatch(/^ {2}-h, --help +Show help$/m);
			const examples = commandExamples[name] ?? [];
			expect(examples.length).toBeGreaterThan(0);
			for (const example of examples)
				expect(said).toMatch(new RegExp(`^ {2}npm .*${RegExp.escape(example.replace(/^start ?/, ""))}$`, "m"));
		},
	);

	it.each(Object.values(commandExamples).flat())("knows every word of its example %s", async (example) => {
		const { run, done } = program();
		const { ended, said } = await run(...argsOf(example));
		expect(said, ended).not.toMatch(/error:/);
		if (argsOf(example).includes("help")) return expect(ended).toBe("commander.help");
		// There is no such file here.
		if (example.includes("--attach")) expect(ended).toBe("INVALID_INPUT");
		else expect(done.length, ended).toBe(1);
	});

	it("describes every command and option in a phrase that begins with a capital letter", () => {
		const describe = (command: Command): string[] => [
			...(command.name().includes("xworkmate") ? [] : [command.description()]),
			...command.options.map(({ description }) => description),
			...command.registeredArguments.map(({ description }) => description),
			...command.commands.flatMap(describe),
		];
		for (const words of describe(program().command)) expect(words).toMatch(/^[A-Z].*[^.]$/);
	});

	it("says where to look after a mistake", async () => {
		expect((await program().run("opne")).said).toContain("(See: npm run -s xworkmate -- --help)");
	});

	it.each([
		[["run"], "run --help"],
		[["run", "--nope", "hi"], "run --help"],
		[["threads", "show"], "threads show --help"],
		[["approvals", "allow"], "approvals allow --help"],
		[["threads", "shwo", "x"], "threads --help"],
	] as const)("points to the help of the command that was mistyped: %j", async (args, help) => {
		expect((await program().run(...args)).said).toContain(`(See: npm run -s xworkmate -- ${help})`);
	});

	it.each([
		[["help", "nope"], "nope", ""],
		[["help", "threds"], "threds", "(Did you mean threads?)"],
		[["threds", "--help"], "threds", "(Did you mean threads?)"],
		[["nope", "--help"], "nope", ""],
		[["threads", "shwo", "--help"], "shwo", "(Did you mean show?)"],
		[["help", "threads", "shwo"], "shwo", "(Did you mean show?)"],
		[["threads", "shwo", "x"], "shwo", "(Did you mean show?)"],
		[["approvals", "help", "alow"], "alow", "(Did you mean allow?)"],
		[["accounts"], "accounts", "(Did you mean auth?)"],
		[["runs", "--help"], "runs", "(Did you mean tasks?)"],
		[["help", "settings"], "settings", "(Did you mean config?)"],
	] as const)("says of %j that there is no such command, and names near ones", async (args, word, near) => {
		const { run, done } = program();
		const { ended, said } = await run(...args);
		expect(ended).toBe("commander.unknownCommand");
		expect(said.split("\n").slice(0, near === "" ? 1 : 2)).toEqual([`error: unknown command '${word}'`, ...(near === "" ? [] : [near])]);
		expect(said).not.toContain("Usage:");
		expect(done).toEqual([]);
	});

	it.each([
		["--timeout", "4"],
		["--approve", "all"],
	])("refuses to detach with %s, which only a command that waits can keep", async (...option) => {
		const { run, done } = program();
		const { ended, said } = await run("run", "--detach", ...option, "hi");
		expect(ended).toBe("commander.conflictingOption");
		expect(said).toContain("error: option '--detach' cannot be used with option '");
		expect(said).toContain(option[0]);
		expect(done).toEqual([]);
	});

	it("shows the help of a command in a command", async () => {
		const { ended, said } = await program().run("help", "threads", "show");
		expect([ended, said.split("\n")[0]]).toEqual(["commander.help", expect.stringContaining("threads show [options] <thread>")]);
	});

	it("passes options of a group on to its list", async () => {
		const { run, done } = program();
		await run("threads", "--archived");
		expect(done).toEqual(["app"]);
	});

	it.each([
		[["threads"], true],
		[["threads", "show", "x"], true],
		[["open", "x"], true],
		[["threads", "archive", "x"], true],
		[["threads", "restore", "x"], true],
		[["threads", "delete", "x"], false],
		[["sync", "x"], false],
	])("%j needs only what the app has, without a bridge: %s", async (args, withoutBridge) => {
		const asked: unknown[] = [];
		const withApp: ProgramContext["withApp"] = async (_use, options) => {
			asked.push(options);
			throw new Error("it is not used here");
		};
		await program({ withApp }).run(...args);
		expect(asked).toEqual([{ withoutBridge }]);
	});

	it.each([
		["opened", [], false, [tmpdir()], [], 0],
		// The user can go on with the printed path.
		["not opened", [], true, [], ["Couldn't open the folder here. Open it yourself."], 0],
		["only printed", ["--print"], false, [], [], 0],
		["not there", [], false, [], [NO_FOLDER_YET], 1, "/home/threads/x"],
		["not there, and only printed", ["--print"], false, [], [NO_FOLDER_YET], 0, "/home/threads/x"],
	] as const)("prints the path of a thread's folder that is %s", async (_, flags, fails, asked, notes, code, folder: string = tmpdir()) => {
		const console = new RecordingConsole();
		const opened: string[] = [];
		const api: Pick<AppApi, "showThread"> = {
			showThread: async () => ({ thread: freshThread(), prompts: {}, answers: {}, folder }),
		};
		const open = async (path: string) => {
			if (fails) throw new Error("no desktop");
			opened.push(path);
		};
		const codes: number[] = [];
		const { run } = program({ console, open, withApp: (use) => use(api as AppApi), done: (given) => void codes.push(given) });
		expect((await run("open", "x", ...flags)).ended).toBe("done");
		expect([console.lines, opened, console.notes, codes]).toEqual([[folder], asked, notes, [code]]);
	});

	it.each([
		["--require", "It must be a path or a pattern inside the thread's folder."],
		["--thread", "It must be the id of a thread."],
		["--attach", "It must be the path of a file."],
	])("says of an empty %s what it must be", async (option, must) => {
		const { run, done } = program();
		expect((await run("run", "hi", option, "")).said).toMatch(
			new RegExp(`^error: option '${option} .+' argument '' is invalid\\. ${must}`),
		);
		expect(done).toEqual([]);
	});

	it.each([
		[["calendar=deny"], "It must be a tool's id followed by =allow, =ask or =deny."],
		[["calendar.event.delete=never"], "It must be a tool's id followed by =allow, =ask or =deny."],
		[["calendar.event.delete"], "It must be a tool's id followed by =allow, =ask or =deny."],
		[["__proto__.a.b=allow"], "It must be a tool's id followed by =allow, =ask or =deny."],
		[["calendar.event.delete=deny", "calendar.event.delete=allow"], "There are two rules for calendar.event.delete."],
	])("says of --tool-policy %j what is wrong", async (rules, words) => {
		const { run } = program();
		expect((await run("run", "hi", ...rules.flatMap((rule) => ["--tool-policy", rule]))).said).toContain(words);
	});

	it.each(["/", "/etc/*.pdf", "../a", "a/../b"])("says of --require %s what it must be", async (glob) => {
		const { run, done } = program();
		expect((await run("run", "hi", "--require", glob)).said).toContain("It must be a path or a pattern inside the thread's folder.");
		expect(done).toEqual([]);
	});
});
