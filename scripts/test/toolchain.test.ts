import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { folderOf, noteBuilt, stateOfSources } from "../programs.mjs";
import { repositoryRoot } from "../repository.ts";

/** Stands for npm: notes its call and puts in place what stands for Node and pnpm, each as a program that notes its calls. */
const npmProgram = `#!/bin/sh
echo "npm $1" >> "$CALLS"
/bin/sleep 0.3
bin="$3/node_modules/.bin"
/bin/mkdir -p "$bin"
printf '#!/bin/sh\\necho v24.21.0\\n' > "$bin/node"
printf '%s' "$PNPM_PROGRAM" > "$bin/pnpm"
/bin/chmod 755 "$bin/node" "$bin/pnpm"
`;
const pnpmProgram = `#!/bin/sh
case "$1" in
--version) echo 12.21.0 ;;
install)
	echo "pnpm install" >> "$CALLS"
	/bin/mkdir -p node_modules/.bin node_modules/.pnpm
	printf '#!/bin/sh\\necho "args:$#:$*"\\nexit 7\\n' > node_modules/.bin/show
	/bin/chmod 755 node_modules/.bin/show
	printf '%s' "$HOLD_PROGRAM" > node_modules/.bin/hold
	/bin/chmod 755 node_modules/.bin/hold
	/bin/cp pnpm-lock.yaml node_modules/.pnpm/lock.yaml
	: > node_modules/.modules.yaml ;;
esac
`;

const HASH = "0123456789abcdef";
const HELD_MS = 15_000;
/** Runs until it is told to end, and takes a moment to do so. */
const holdProgram = `#!/bin/sh
trap '/bin/sleep 0.3; echo ended; exit 5' TERM
echo ready
while :; do /bin/sleep 0.05; done
`;

interface Held {
	readonly child: ChildProcess;
	/** Once it and its command have ended. */
	readonly ended: Promise<{ readonly code: unknown; readonly said: string }>;
}

/** A checkout in a folder with a space in its name, that holds the script alone, and its own PATH. */
class Checkout implements Disposable {
	readonly root = mkdtempSync(join(tmpdir(), "xworkmate toolchain "));
	readonly #calls = join(this.root, "calls");

	constructor() {
		mkdirSync(join(this.root, "scripts"));
		mkdirSync(join(this.root, "path"));
		for (const name of ["toolchain.mjs", "programs.mjs"]) cpSync(join(repositoryRoot, "scripts", name), join(this.root, "scripts", name));
		this.lock("one");
		writeFileSync(this.#calls, "");
	}

	installNpm(): void {
		writeFileSync(join(this.root, "path", "npm"), npmProgram);
		chmodSync(join(this.root, "path", "npm"), 0o755);
	}

	/** Stands for the Node that commands are run with: says what it was to run. */
	installNode(): void {
		const node = join(this.root, "node_modules", ".bin", "node");
		writeFileSync(node, '#!/bin/sh\necho "$*"\n');
		chmodSync(node, 0o755);
	}

	/** What stands for the programs that are built from the sources as they are. Returns the one that is started. */
	build(): string {
		const program = join(folderOf(this.root, HASH), "programs", "main.js");
		mkdirSync(dirname(program), { recursive: true });
		writeFileSync(program, "");
		noteBuilt(this.root, HASH, stateOfSources(this.root).stamp);
		return program;
	}

	/** What the checkout wants to be installed. */
	lock(words: string): void {
		writeFileSync(join(this.root, "pnpm-lock.yaml"), words);
	}

	calls(): string[] {
		return readFileSync(this.#calls, "utf8").trim().split("\n");
	}

	get #env(): Record<string, string> {
		return { PATH: join(this.root, "path"), CALLS: this.#calls, PNPM_PROGRAM: pnpmProgram, HOLD_PROGRAM: holdProgram };
	}

	get #script(): string {
		return join(this.root, "scripts", "toolchain.mjs");
	}

	/** A command that continues: below a shell, as npm starts it, or on its own. */
	async hold(below: "shell" | "nothing"): Promise<Held> {
		const env = below === "shell" ? { ...this.#env, npm_lifecycle_event: "start" } : this.#env;
		// Its own group, so that a failed test leaves nothing behind.
		const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
		const child =
			below === "shell"
				? spawn("/bin/sh", ["-c", `"${process.execPath}" "${this.#script}" hold; :`], { env, stdio, detached: true })
				: spawn(process.execPath, [this.#script, "hold"], { env, stdio, detached: true });

		const { promise: ready, resolve } = Promise.withResolvers<void>();
		let said = "";
		child.stdout.setEncoding("utf8").on("data", (piece: string) => {
			said += piece;
			if (said.includes("ready")) resolve();
		});
		// Closed once the command has ended too, which holds its other end.
		const bound = setTimeout(() => endGroup(child.pid), HELD_MS);
		const ended = once(child, "close").then(([code]) => {
			clearTimeout(bound);
			return { code, said };
		});
		await ready;
		return { child, ended };
	}

	async run(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
		const child = spawn(process.execPath, [this.#script, ...args], { env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
		const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
		return { code, stdout, stderr };
	}

	[Symbol.dispose](): void {
		rmSync(this.root, { recursive: true, force: true });
	}
}

/** One that was not told to end must not outlive its test. */
function endGroup(leader: number | undefined): void {
	if (leader === undefined) return;
	try {
		process.kill(-leader, "SIGKILL");
	} catch (error) {
		if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
	}
}

describe.skipIf(process.platform === "win32")("the toolchain script", () => {
	it("says how it is used when there is nothing to run", async () => {
		using checkout = new Checkout();
		await expect(checkout.run()).resolves.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("usage:") });
	});

	it("says what is missing, and what to do, when npm cannot install it", async () => {
		using checkout = new Checkout();
		const { code, stdout, stderr } = await checkout.run("vitest");
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect(stderr).toMatch(/Node 24\.21\.0 and pnpm 12\.21\.0 could not be installed.*npm ping.*yourself/s);
	});

	it("installs once for two first runs at the same time, keeps stdout for the command, and passes arguments and exit code on", async () => {
		using checkout = new Checkout();
		checkout.installNpm();
		const runs = await Promise.all([checkout.run("show", "a", "b c"), checkout.run("show", "a", "b c")]);
		for (const run of runs) expect(run).toMatchObject({ code: 7, stdout: "args:2:a b c\n" });
		expect(checkout.calls()).toEqual(["npm install", "pnpm install"]);
		await expect(checkout.run("show", "d")).resolves.toMatchObject({ code: 7, stdout: "args:1:d\n", stderr: "" });
		expect(checkout.calls()).toHaveLength(2);
	});

	it("installs again after a change of the lock file", async () => {
		using checkout = new Checkout();
		checkout.installNpm();
		await checkout.run("show");
		checkout.lock("two");
		await expect(checkout.run("show")).resolves.toMatchObject({ code: 7 });
		await checkout.run("show");
		expect(checkout.calls()).toEqual(["npm install", "pnpm install", "pnpm install"]);
	});

	it("starts xworkmate from its sources, and bundled once that was built from them; a service always from the sources", async () => {
		using checkout = new Checkout();
		checkout.installNpm();
		await checkout.run("show");
		checkout.installNode();
		const sources = join(checkout.root, "app", "src", "main.ts");
		await expect(checkout.run("xworkmate", "threads")).resolves.toMatchObject({ stdout: `${sources} threads\n` });
		const program = checkout.build();
		await expect(checkout.run("xworkmate", "threads")).resolves.toMatchObject({ stdout: `${program} threads\n` });
		await expect(checkout.run("xworkmate", "service", "install")).resolves.toMatchObject({ stdout: `${sources} service install\n` });
		checkout.lock("two");
		await expect(checkout.run("xworkmate", "start")).resolves.toMatchObject({ stdout: `${sources} start\n` });
	});

	it.each(["SIGTERM", "SIGHUP"] as const)(
		"[D31] ends its command, and waits for that, when %s kills the shell that npm started it with",
		async (signal) => {
			using checkout = new Checkout();
			checkout.installNpm();
			const { child, ended } = await checkout.hold("shell");
			child.kill(signal);
			expect(await ended).toMatchObject({ said: "ready\nended\n" });
		},
	);

	it.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("[D31] passes %s on, waits, and ends as its command does", async (signal) => {
		using checkout = new Checkout();
		checkout.installNpm();
		const { child, ended } = await checkout.hold("nothing");
		child.kill(signal);
		expect(await ended).toEqual({ code: 5, said: "ready\nended\n" });
	});

	it("takes over from a first run that died", async () => {
		using checkout = new Checkout();
		checkout.installNpm();
		const dead = spawn(process.execPath, ["-e", ""]);
		await once(dead, "close");
		mkdirSync(join(checkout.root, ".toolchain", "lock"), { recursive: true });
		writeFileSync(join(checkout.root, ".toolchain", "lock", "pid"), String(dead.pid));
		await expect(checkout.run("show")).resolves.toMatchObject({ code: 7 });
	});
});
