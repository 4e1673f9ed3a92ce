import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { TestOutcome, type TestRequest } from "./test-outcome.ts";

/** No test of a mutant takes this long; one that does hangs, which is not a failure of an expectation. */
const BOUND_MS = 180_000;

/** Runs tests below a root, one request at a time. */
export class TestRunner implements Disposable {
	readonly #root: string;
	#worker: ChildProcess | undefined;

	constructor(root: string) {
		this.#root = root;
	}

	/** An outcome with no test when the runner hangs or dies: then it is started again for the next request. */
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

	/** Ends the runner and what its tests started. */
	[Symbol.dispose](): void {
		const { pid, exitCode, signalCode } = this.#worker ?? {};
		this.#worker = undefined;
		if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
	}

	async #start(): Promise<ChildProcess> {
		// Its own group, so that the bound also ends what the tests started.
		// Killed with its tests, it cannot tidy up: what they leave goes with the copy.
		const temporary = join(this.#root, ".tmp");
		mkdirSync(temporary, { recursive: true });
		const worker = fork(join(this.#root, "scripts", "mutants", "test-worker.ts"), [], {
			cwd: this.#root,
			detached: true,
			stdio: ["ignore", "ignore", "ignore", "ipc"],
			env: { ...process.env, NO_COLOR: "1", TMPDIR: temporary },
		});
		await once(worker, "message");
		return worker;
	}
}
