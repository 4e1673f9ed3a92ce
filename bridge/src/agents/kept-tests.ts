import { type AgentTest, type FailedRun, ProviderId, Timestamp, Unavailable } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { readIfThere, writeDurably } from "@xworkmate/platform/files";
import { z } from "zod";

const KeptTest = z.strictObject({
	/** The tested version, if XWorkmate installed it. Absent if another program on this computer was tested. */
	version: z.string().max(100).optional(),
	at: Timestamp,
	tookMs: z.int().min(0),
	problem: Unavailable.optional(),
	/** The agent answered in a run, or failed in one if there is a `problem`. Either proves as much as a test. */
	inRun: z.literal(true).optional(),
});
const KeptTestsFile = z.strictObject({ version: z.literal(1), agents: z.record(ProviderId, KeptTest) });

/**
 * The result of each agent's last test, or of a later run, kept for the next bridge in `<home>/bridge/agent-tests.json`. Each result is
 * dated, and applies only to the version that was tested. If the file is lost, the agents only have to be tested again.
 */
export class KeptTests {
	readonly #path: string;
	readonly #warn: (message: string) => void;
	readonly #tests = new Map<ProviderId, z.infer<typeof KeptTest>>();

	constructor(path: string, warn: (message: string) => void) {
		this.#path = path;
		this.#warn = warn;
		try {
			const text = readIfThere(path);
			if (text === undefined) return;
			const { agents } = KeptTestsFile.parse(JSON.parse(text));
			for (const [id, test] of Object.entries(agents)) this.#tests.set(ProviderId.parse(id), test);
		} catch (error) {
			warn(`${path} can't be used, so all agents are treated as untested: ${errorMessage(error)}`);
		}
	}

	/**
	 * The result of the last test of an agent in this version; undefined if it was not tested, or if a run has shown something else since.
	 */
	of(agentId: ProviderId, version: string | undefined): AgentTest | undefined {
		const kept = this.#of(agentId, version);
		if (kept === undefined || kept.inRun) return undefined;
		const { version: _version, inRun: _inRun, ...test } = kept;
		return test;
	}

	/** When an agent in this version answered in a run; undefined if that was not recorded, or if it was tested or failed since. */
	answeredAt(agentId: ProviderId, version: string | undefined): Timestamp | undefined {
		const kept = this.#of(agentId, version);
		return kept?.inRun && kept.problem === undefined ? kept.at : undefined;
	}

	/** When and why this version of the agent made a run fail; undefined if the agent has answered or been tested since. */
	failedRun(agentId: ProviderId, version: string | undefined): FailedRun | undefined {
		const { inRun, at, problem } = this.#of(agentId, version) ?? {};
		return inRun && at !== undefined && problem !== undefined ? { at, problem } : undefined;
	}

	/**
	 * Records that the agent failed in a run, or, without a `problem`, that it answered in one. An agent that is already known to work in
	 * this version is not recorded again, so that the file is not written for each run. Returns whether anything was recorded.
	 */
	noteRun(agentId: ProviderId, version: string | undefined, at: Timestamp, problem?: Unavailable): boolean {
		const kept = this.#of(agentId, version);
		if (problem === undefined && kept !== undefined && kept.problem === undefined) return false;
		this.#write(agentId, version, { at, tookMs: 0, inRun: true, ...(problem && { problem }) });
		return true;
	}

	/** Keeps the result of a test. `test` undefined: the last result no longer applies, so it is removed. */
	keep(agentId: ProviderId, version: string | undefined, test: AgentTest | undefined): void {
		this.#write(agentId, version, test);
	}

	#of(agentId: ProviderId, version: string | undefined): z.infer<typeof KeptTest> | undefined {
		const kept = this.#tests.get(agentId);
		return kept?.version === version ? kept : undefined;
	}

	#write(agentId: ProviderId, version: string | undefined, test: z.infer<typeof KeptTest> | undefined): void {
		if (test === undefined) this.#tests.delete(agentId);
		else this.#tests.set(agentId, { ...test, ...(version !== undefined && { version }) });
		try {
			writeDurably(this.#path, `${JSON.stringify({ version: 1, agents: Object.fromEntries(this.#tests) }, undefined, "\t")}\n`);
		} catch (error) {
			this.#warn(`${this.#path} can't be written, so agent test results are not saved: ${errorMessage(error)}`);
		}
	}
}
