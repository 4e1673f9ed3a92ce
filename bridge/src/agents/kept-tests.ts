import { type AgentTest, ProviderId, Timestamp, Unavailable } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { readIfThere, writeDurably } from "@xworkmate/platform/files";
import { z } from "zod";

const KeptTest = z.strictObject({
	/** Which program was tested: the version that XWorkmate installed. Absent: another program on this computer. */
	version: z.string().max(100).optional(),
	at: Timestamp,
	tookMs: z.int().min(0),
	problem: Unavailable.optional(),
});
const KeptTestsFile = z.strictObject({ version: z.literal(1), agents: z.record(ProviderId, KeptTest) });

/**
 * The result of each agent's last test, kept for the next bridge in `<home>/bridge/agent-tests.json`. A result has its date, and counts
 * only for the version that was tested. If the file is lost, the agents only have to be tested again.
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
			warn(`${path} can't be used, so no agent counts as tested: ${errorMessage(error)}`);
		}
	}

	/** The result for an agent in this version; undefined if another version was tested. */
	of(agentId: ProviderId, version: string | undefined): AgentTest | undefined {
		const kept = this.#tests.get(agentId);
		if (kept === undefined || kept.version !== version) return undefined;
		const { version: _version, ...test } = kept;
		return test;
	}

	/** Undefined: the last result no longer applies. */
	keep(agentId: ProviderId, version: string | undefined, test: AgentTest | undefined): void {
		if (test === undefined) this.#tests.delete(agentId);
		else this.#tests.set(agentId, { ...test, ...(version !== undefined && { version }) });
		try {
			writeDurably(this.#path, `${JSON.stringify({ version: 1, agents: Object.fromEntries(this.#tests) }, undefined, "\t")}\n`);
		} catch (error) {
			this.#warn(`${this.#path} can't be written, so tests of agents are not kept: ${errorMessage(error)}`);
		}
	}
}
