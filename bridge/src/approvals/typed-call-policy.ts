import type { Approval, ThreadId } from "@xworkmate/contracts";
import type { CallAnswer, CallDenial, CallPolicy, CallQuestion } from "../ports/tools/call-policy.ts";
import type { TypedTool } from "../ports/tools/tool-hosts.ts";
import type { ToolRules } from "../ports/tools/tool-rules.ts";
import { type CallFacts, decideCall, denialOf } from "./decide-call.ts";

export interface TypedCallPolicyOptions {
	readonly rules: ToolRules;
	/** The grant in force that covers every call to this tool in the thread. */
	readonly windowOf: (threadId: ThreadId, tool: TypedTool) => Promise<Approval | undefined>;
	/** True from the moment a grant is revoked. */
	readonly isRevoked: (approvalId: string) => boolean;
	/** How many typed calls wait for the user. */
	readonly waiting: () => number;
}

/** The beginning of `by` when a grant allowed the call. */
const WINDOW = "window:";

/** Collects what decides whether a typed call may start: the run's overrides, the user's rules, grants, and the number of waiting calls. */
export class TypedCallPolicy implements CallPolicy {
	readonly #options: TypedCallPolicyOptions;

	constructor(options: TypedCallPolicyOptions) {
		this.#options = options;
	}

	get version(): string {
		return this.#options.rules.version;
	}

	async answer(question: CallQuestion): Promise<CallAnswer> {
		const { windowOf, isRevoked } = this.#options;
		const isAsked = decideCall({ ...this.#facts(question), isUnattended: false, waiting: 0 }).decision === "ask";
		const window = isAsked ? await windowOf(question.run.threadId, question.tool) : undefined;
		// No await from here on, so that the decision takes every change to a rule and every revocation up to now into account.
		const isInForce = window !== undefined && !isRevoked(window.approvalId);
		return decideCall({ ...this.#facts(question), ...(isInForce && { window: window.approvalId }) });
	}

	denial(question: CallQuestion, allowedBy?: string): CallDenial | undefined {
		const denial = denialOf(this.#facts(question));
		if (denial !== undefined || allowedBy?.startsWith(WINDOW) !== true) return denial;
		if (!this.#options.isRevoked(allowedBy.slice(WINDOW.length))) return undefined;
		return { decision: "deny", by: "person", reason: "policy" };
	}

	#facts({ run, tool, own, inputBytes }: CallQuestion): CallFacts {
		const { toolPolicy = {}, unattended = false } = run.input.assistant ?? {};
		const override = Object.hasOwn(toolPolicy, tool.toolId) ? toolPolicy[tool.toolId] : undefined;
		const rule = this.#options.rules.ruleOf(tool.toolId);
		return { tool, own, run: override, rule, isUnattended: unattended, inputBytes, waiting: this.#options.waiting() };
	}
}
