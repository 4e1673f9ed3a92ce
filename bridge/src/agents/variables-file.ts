import { AgentVariableName, ContractError, ProviderId, type Unavailable } from "@xworkmate/contracts";
import { z } from "zod";
import { KeptFile } from "../auth/kept-file.ts";
import type { AgentVariables } from "../ports/agents/managed-agent.ts";

/** The name of the file in the home. */
export const VARIABLES_FILE = "agent-secrets.json";

const VariablesOfAgents = z.strictObject({
	version: z.literal(1),
	agents: z.record(ProviderId, z.record(AgentVariableName, z.string().max(16_384))),
});
type VariablesOfAgents = z.infer<typeof VariablesOfAgents>;

const none: VariablesOfAgents = { version: 1, agents: {} };

/** The variables that are each passed to one agent only, including its keys: `<home>/agent-secrets.json`, mode 0600. */
export class VariablesFile implements AgentVariables {
	readonly #file: KeptFile<VariablesOfAgents>;
	readonly #onSecrets: (secrets: readonly string[]) => void;

	/** @param onSecrets gets the values of all agents before `of` returns any of them */
	constructor(path: string, onSecrets: (secrets: readonly string[]) => void, owner: number | undefined = process.getuid?.()) {
		const again = "sign in to the agents again";
		this.#file = new KeptFile({ path, schema: VariablesOfAgents, empty: none, code: "AGENT_SECRETS", again, owner, refusal });
		this.#onSecrets = onSecrets;
	}

	get problem(): Unavailable | undefined {
		const read = this.#file.read();
		return read.kind === "unusable" ? read.problem : undefined;
	}

	of(agentId: ProviderId): Readonly<Record<string, string>> {
		const read = this.#file.read();
		if (read.kind === "unusable") return {};
		const { agents } = read.content;
		this.#onSecrets(Object.values(agents).flatMap((variables) => Object.values(variables)));
		return (Object.hasOwn(agents, agentId) ? agents[agentId] : undefined) ?? {};
	}

	/**
	 * Sets the variables that are named, and removes those that are null.
	 * @throws ContractError AGENT_REFUSED if the file cannot be used
	 */
	set(agentId: ProviderId, given: Readonly<Record<string, string | null>>): void {
		this.#file.change((content) => {
			const before = Object.hasOwn(content.agents, agentId) ? content.agents[agentId] : undefined;
			const kept = Object.entries({ ...before, ...given }).filter((entry): entry is [string, string] => entry[1] !== null);
			return this.#with(content, agentId, Object.fromEntries(kept));
		});
		this.of(agentId);
	}

	/**
	 * Returns whether there was anything to forget.
	 * @throws ContractError AGENT_REFUSED if the file can't be used, because it may still contain the agent's variables
	 */
	forget(agentId: ProviderId): boolean {
		const { problem } = this;
		if (problem !== undefined) throw refusal(problem);
		const isStored = Object.keys(this.of(agentId)).length > 0;
		if (isStored) this.#file.change((content) => this.#with(content, agentId, {}));
		return isStored;
	}

	removeLeftovers(): void {
		this.#file.removeLeftovers();
	}

	#with(content: VariablesOfAgents, agentId: ProviderId, variables: Readonly<Record<string, string>>): VariablesOfAgents {
		const others = Object.entries(content.agents).filter(([id]) => id !== agentId);
		const own = Object.keys(variables).length === 0 ? [] : [[agentId, variables] as const];
		return { ...content, agents: Object.fromEntries([...others, ...own]) };
	}
}

function refusal({ message, fix }: Unavailable): ContractError {
	return new ContractError("AGENT_REFUSED", { detail: message, fix });
}
