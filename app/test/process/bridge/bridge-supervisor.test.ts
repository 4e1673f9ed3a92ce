import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { findRunningBridge } from "../../../src/process/bridge/adopt-bridge.ts";
import { BridgeSupervisor } from "../../../src/process/bridge/bridge-supervisor.ts";
import type { BridgeTrouble } from "../../../src/process/bridge/bridge-trouble.ts";
import { bridgeMain, spawnBridge } from "../../../src/process/bridge/spawn-bridge.ts";
import { temporaryHome } from "../../support/temporary-home.ts";
import { until } from "../../support/until.ts";

const { PATH } = process.env;
// A dozen bridges start here; compiled code is kept between them, which changes nothing but the time.
const NODE_COMPILE_CACHE = fileURLToPath(new URL("../../../../.cache/compile", import.meta.url));
const env = { PATH, NODE_COMPILE_CACHE, XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" };
const quick = { everyMs: 100, quietMs: 100, lookMs: 100, answerMs: 400, misses: 3 };

/** A supervisor in its own home, and everything that it says. */
async function kept(home: string, hurried = true) {
	mkdirSync(join(home, "app"), { recursive: true });
	const notes: string[] = [];
	const troubles: (BridgeTrouble | undefined)[] = [];
	let waiters: { readonly isIt: (trouble: BridgeTrouble | undefined) => boolean; readonly resolve: () => void }[] = [];
	const onTrouble = (trouble: BridgeTrouble | undefined) => {
		troubles.push(trouble);
		for (const { resolve } of waiters.filter(({ isIt }) => isIt(trouble))) resolve();
		waiters = waiters.filter(({ isIt }) => !isIt(trouble));
	};
	const supervisor = await BridgeSupervisor.open({
		...{ home, env, onNote: (words) => notes.push(words), onTrouble },
		...(hurried && { pulse: quick }),
	});
	return {
		...{ supervisor, notes, troubles },
		/** Settles with the next such news. */
		next: (isIt: (trouble: BridgeTrouble | undefined) => boolean) =>
			new Promise<void>((resolve) => {
				waiters.push({ isIt, resolve });
			}),
		[Symbol.asyncDispose]: () => supervisor.stop(),
	};
}

const isWell = (trouble: BridgeTrouble | undefined) => trouble === undefined;
const answers = async (url: string) => (await fetch(`${url}/healthz`)).ok;

describe("a home that another bridge has", () => {
	it("is waited for, since that bridge is starting or ending", async () => {
		using home = temporaryHome();
		mkdirSync(join(home.path, "bridge"));
		const lock = new Database(join(home.path, "bridge", "lock"));
		lock.exec("BEGIN EXCLUSIVE");
		const opening = kept(home.path);
		const log = join(home.path, "bridge", "bridge.log");
		await until("a bridge is refused", () => existsSync(log) && readFileSync(log, "utf8").includes("is in use by"), 20_000);
		lock.close();
		await using opened = await opening;
		expect(await answers(opened.supervisor.endpoint.url)).toBe(true);
	});
});

describe("a bridge that is kept", () => {
	it("is ended and started again when somebody asks, once for all who ask at a time", async () => {
		using home = temporaryHome();
		const { supervisor, notes, troubles } = await kept(home.path);
		try {
			const first = supervisor.endpoint;
			await Promise.all([supervisor.restart(), supervisor.restart()]);
			expect(supervisor.endpoint.pid).not.toBe(first.pid);
			expect(await answers(supervisor.endpoint.url)).toBe(true);
			expect(notes).toEqual(["Restarting the bridge."]);
			// What every page shows meanwhile: a restart, and not that the bridge can't be reached.
			expect(troubles).toEqual([{ what: "restarting", own: true }, undefined]);
		} finally {
			await supervisor.stop();
		}
		await expect(supervisor.restart()).rejects.toMatchObject({ code: "BRIDGE_NOT_RUNNING" });
	}, 30_000);

	it("goes on when it is left to its runs, and is taken over and ended by the next one", async () => {
		using home = temporaryHome();
		const { supervisor } = await kept(home.path);
		supervisor.leave();
		await supervisor.stop();
		expect(await answers(supervisor.endpoint.url)).toBe(true);
		const { supervisor: next } = await kept(home.path);
		expect(next.endpoint.pid).toBe(supervisor.endpoint.pid);
		await next.stop();
		await expect(answers(supervisor.endpoint.url)).rejects.toThrow();
	}, 30_000);

	it("is started again after each kill -9, and it is said", async () => {
		using home = temporaryHome();
		await using scene = await kept(home.path);
		const { supervisor, notes, troubles, next } = scene;
		for (let kill = 0; kill < 2; kill++) {
			const back = next(isWell);
			process.kill(supervisor.endpoint.pid, "SIGKILL");
			await back;
		}
		expect(await answers(supervisor.endpoint.url)).toBe(true);
		const ended =
			"The bridge stopped unexpectedly. Restarting it. Runs in progress on this computer are marked as interrupted, except those of the assistant and of programs that called typed tools: those continue. Runs on OpenClaw continue there.";
		const endedAgain = "The bridge stopped again. Restarting it (attempt 2).";
		expect(notes).toEqual([ended, "The bridge is running again.", endedAgain, "The bridge is running again."]);
		expect(troubles[0]).toMatchObject({ what: "ended", own: true, attempt: 1, startsAt: expect.any(String) });
	}, 60_000);

	it("is ended when it is stopped and answers nothing, and started again", async () => {
		using home = temporaryHome();
		await using scene = await kept(home.path);
		const { supervisor, notes, troubles, next } = scene;
		const { pid } = supervisor.endpoint;
		const back = next(isWell);
		process.kill(pid, "SIGSTOP");
		await back;
		expect(supervisor.endpoint.pid).not.toBe(pid);
		expect(() => process.kill(pid, 0)).toThrow("ESRCH");
		expect(await answers(supervisor.endpoint.url)).toBe(true);
		expect(troubles[0]).toEqual({ what: "silent", own: true });
		expect(notes[0]).toContain("The bridge isn't responding and is being restarted.");
	}, 30_000);

	it("is tried again when a start fails, until one succeeds", async () => {
		using home = temporaryHome();
		await using scene = await kept(home.path);
		const { supervisor, notes, next } = scene;
		const failed = [2, 3].map((attempt) => next((trouble) => trouble?.what === "start_failed" && trouble.attempt === attempt));
		// No bridge starts where its app cannot note it.
		const note = join(home.path, "app", "bridge-child.json");
		rmSync(note);
		mkdirSync(note);
		process.kill(supervisor.endpoint.pid, "SIGKILL");
		await Promise.all(failed);
		const back = next(isWell);
		rmdirSync(note);
		await back;
		expect(await answers(supervisor.endpoint.url)).toBe(true);
		expect(notes.filter((words) => words.includes("could not save a record")).length).toBeGreaterThanOrEqual(2);
		expect(notes.some((words) => words.includes("Trying again in 1 s (attempt 3)."))).toBe(true);
	}, 60_000);

	it("is left alone when somebody else started it, and its silence is told", async () => {
		using home = temporaryHome();
		mkdirSync(join(home.path, "app"));
		const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", bridgeMain], {
			env: { ...env, XWORKMATE_HOME: home.path },
			stdio: ["ignore", "ignore", "pipe"],
		});
		try {
			// It logs its address once it listens.
			for await (const line of child.stderr) if (String(line).includes("the bridge is listening")) break;
			while ((await findRunningBridge(home.path)) === undefined);
			await using scene = await kept(home.path);
			const { supervisor, notes, troubles, next } = scene;
			const silent = next((trouble) => trouble?.what === "silent");
			child.kill("SIGSTOP");
			await silent;
			expect(troubles).toEqual([{ what: "silent", own: false }]);
			await expect(supervisor.restart()).rejects.toMatchObject({ code: "BRIDGE_NOT_OWN" });
			const back = next(isWell);
			child.kill("SIGCONT");
			await back;
			expect(supervisor.endpoint.pid).toBe(child.pid);
			expect(notes).toEqual([expect.stringContaining("restart it where it was started"), "The bridge is responding again."]);
			expect(supervisor.startedByUser).toBe(true);
			await supervisor.stop();
			expect(await answers(supervisor.endpoint.url)).toBe(true);
			await using again = await kept(home.path);
			const started = again.next(isWell);
			child.kill("SIGTERM");
			await started;
			expect(again.notes[0]).toContain("The bridge that was started separately has ended. Starting one.");
			expect(again.troubles[0]).toMatchObject({ what: "ended", own: true, startedByUser: true });
			expect([again.supervisor.startedByUser, again.supervisor.isOwn]).toEqual([false, true]);
			await again.supervisor.restart();
		} finally {
			child.kill("SIGKILL");
			if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
		}
	}, 30_000);

	it("that hangs since before the app was started is ended too, when an app started it", async () => {
		using home = temporaryHome();
		mkdirSync(join(home.path, "app"));
		const left = await spawnBridge({ home: home.path, env });
		process.kill(left.endpoint.pid, "SIGSTOP");
		await using scene = await kept(home.path);
		if (scene.supervisor.endpoint.pid === left.endpoint.pid) await scene.next(isWell);
		expect(scene.supervisor.endpoint.pid).not.toBe(left.endpoint.pid);
		expect(await answers(scene.supervisor.endpoint.url)).toBe(true);
	}, 30_000);
});
