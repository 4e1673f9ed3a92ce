import type { PolicyDecision, ToolId } from "@xworkmate/contracts";
import type { ToolRules } from "../../ports/tools/tool-rules.ts";
import type { ToolRule, ToolStore } from "../../ports/tools/tool-store.ts";
import { hashOf } from "./tool-version.ts";

/**
 * The user's rules, kept in memory as well as in the store, because a call's policy is decided in the same synchronous step as its start.
 */
export class UserRules implements ToolRules {
	readonly #store: ToolStore;
	readonly #rules: Map<ToolId, PolicyDecision>;
	version: string;

	private constructor(store: ToolStore, rules: readonly ToolRule[]) {
		this.#store = store;
		this.#rules = new Map(rules.map(({ toolId, decision }) => [toolId, decision]));
		this.version = this.#versionNow();
	}

	static async open(store: ToolStore): Promise<UserRules> {
		return new UserRules(store, await store.rules());
	}

	ruleOf(toolId: ToolId): PolicyDecision | undefined {
		return this.#rules.get(toolId);
	}

	/** Sets a rule. A denial applies before it is stored, any other rule only afterwards. */
	async set(rule: ToolRule): Promise<void> {
		if (rule.decision === "deny") this.#put(rule.toolId, rule.decision);
		await this.#store.setRule(rule);
		this.#put(rule.toolId, rule.decision);
	}

	async remove(toolId: ToolId): Promise<void> {
		await this.#store.removeRule(toolId);
		this.#put(toolId, undefined);
	}

	#put(toolId: ToolId, decision: PolicyDecision | undefined): void {
		if (decision === undefined) this.#rules.delete(toolId);
		else this.#rules.set(toolId, decision);
		this.version = this.#versionNow();
	}

	#versionNow(): string {
		return hashOf([...this.#rules].sort(([one], [other]) => (one < other ? -1 : 1))).slice(0, 16);
	}
}
