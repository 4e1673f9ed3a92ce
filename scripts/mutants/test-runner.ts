import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { TestOutcome, type TestRequest } from "./test-outcome.ts";

/** No test of a mutant takes this long; if one does, it hangs, which does not count as a failed expectation. */
const BOUND_MS = 180_000;

/** Runs tests below a root, one request at a time. */
export class TestRunner implements Disposable {
	readonly #root: string;
	#worker: ChildProcess | undefined;

	constructor(root: string) {
		this.#root = root;
	}

	/** Returns an outcome without tests if the runner hangs or dies; the next request starts it again. */
	async run(request: TestRequest): Promise<TestOutcome> {
		this.#worker ??= await this.#start();
		const worker = this.#worker;
		const over = new AbortController();
		const signal = AbortSignal.any([AbortSignal.timeout(BOUND_MS), over.signal]);
		const answer = once(worker, "message", { signal });
		const ended = once(worker, "exit", { signal }).then(() => undefined);
		worker.send(request);
		const [message] = (await Promise.race([answer, ended]).catch(() => undefined)) ?? [];
		over.abort();
		if (message !== undefined) return TestOutcome.parse(message);
		this[Symbol.dispose]();
		return { passed: 0, failed: 0, ran: [], output: "the test runner hung or ended" };
	}

	/** Ends the runner and everything its tests started. */
	[Symbol.dispose](): void {
		const { pid, exitCode, signalCode } = this.#worker ?? {};
		this.#worker = undefined;
		if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
	}

	async #start(): Promise<ChildProcess> {
		// A separate process group, so that the time limit also ends what the tests started. A killed runner cannot clean up, so its
		// temporary folder is inside the copy and removed with it.
		const temporary = join(this.#root, ".tmp");
		mkdirSync(temporary, { recursive: true });
		const worker = fork(join(this.#root, "scripts", "mutants", "test-worker.ts"), [], {
			cwd: this.#root,
			detached: true,
			stdio: ["ignore", "ignore", "ignore", "ipc"],
			env: { ...process.env, NO_COLOR: "1", TMPDIR: temporary, XWORKMATE_TEST_PROGRAMS: "sources" },
		});
		await once(worker, "message");
		return worker;
	}
}
