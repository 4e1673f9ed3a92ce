import type { Approval, Integration, PolicyDecision, Receipt, Sha256 } from "@xworkmate/contracts";
import { isPermission } from "@xworkmate/contracts/is-permission";
import { useCallback, useEffect, useState } from "react";
import { codeOf, type ToolCode } from "../../text/calls/tool-code.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { useReadAgain } from "../state/use-read-again.ts";

/** What the page knows about the typed call of a request, in addition to the request's record. */
export interface CallFacts {
	/**
	 * True once the facts have been read. Until then, the request can't be answered, because the content above the buttons could still move
	 * them.
	 */
	readonly isRead: boolean;
	/** The whole input as JSON, without secrets. */
	readonly input?: string;
	readonly inputProblem?: string;
	/** The state of the code that would run; `unsure` is treated as not accepted. */
	readonly code: ToolCode;
	/** The answers that the request takes now. */
	readonly options?: Approval["options"];
	/** The user's rule for the tool. */
	readonly rule?: PolicyDecision;
	/** The version that the user last allowed, if it differs from this one. */
	readonly changed?: { readonly toolHash: Sha256; readonly at: string };
	/** How many reads in a row have failed, at least in part, so that some of the facts shown are older. */
	readonly failedReads?: number;
	again(): void;
}

/** How many of the tool's latest permissions are examined. */
const LATEST = 20;
const nothing = () => undefined;
export const unread: CallFacts = { isRead: false, code: "unsure", again: nothing };

/**
 * The facts about an open request of a typed call; undefined for an agent's request. They are read again when the tools have changed, when
 * contact with the app is restored (because a change may have been missed), and by `again`. Until then, the earlier facts are shown. Facts
 * that could not be read again stay as they were, so that the buttons don't move while the bridge is unreachable, and the read is repeated.
 */
export function useCallFacts(approval: Approval): CallFacts | undefined {
	const [facts, setFacts] = useState(unread);
	const [tried, setTried] = useState(0);
	const { link } = useApp();
	const news = useStore(link.toolNews);
	const connections = useStore(link.connections);
	const { approvalId, state } = approval;
	const isTyped = approval.toolId !== undefined;
	const again = useCallback(() => setTried((before) => before + 1), []);
	useReadAgain(facts.failedReads ?? 0, again);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a request never changes while it is open
	useEffect(() => {
		if (!isTyped || state !== "pending") return;
		let stale = false;
		void readFacts(approval).then((toFacts) => !stale && setFacts((before) => ({ ...toFacts(before), again })));
		return () => {
			stale = true;
		};
	}, [approvalId, isTyped, state, tried, news, connections]);
	return isTyped ? facts : undefined;
}

/** Returns a function that updates the earlier facts. Facts that could not be read now stay as they were. */
async function readFacts(approval: Approval): Promise<(before: CallFacts) => Omit<CallFacts, "again">> {
	const { approvalId, toolId } = approval;
	const [whole, tools, allowed] = await Promise.allSettled([
		callApp("approvalInput", { approvalId }),
		callApp("listTools", {}),
		toolId === undefined ? undefined : callApp("listReceipts", { toolId, type: "tool.call.approved", limit: LATEST }),
	]);
	const hasFailed = [whole, tools, allowed].some(({ status }) => status === "rejected");
	return ({ isRead, failedReads = 0, ...before }) => {
		const changed = allowed.status === "fulfilled" ? changedSince(approval, allowed.value?.items ?? []) : before.changed;
		const { record, input } = whole.status === "fulfilled" ? whole.value : { record: undefined, input: before.input };
		const { code, options } = record === undefined ? before : { code: codeOf(record), options: record.options };
		const rule = tools.status === "fulfilled" ? ruleOf(approval, tools.value.integrations) : before.rule;
		const wasInputRead = isRead && before.inputProblem === undefined;
		return {
			isRead: true,
			code,
			...(options && { options }),
			...(rule && { rule }),
			...(whole.status === "rejected" && !wasInputRead && { inputProblem: sayError(whole.reason) }),
			...(input !== undefined && { input }),
			...(changed && { changed }),
			...(isRead && hasFailed && { failedReads: failedReads + 1 }),
		};
	};
}

/** The user's rule for the tool. */
export function ruleOf({ toolId }: Pick<Approval, "toolId">, integrations: readonly Integration[]): CallFacts["rule"] {
	const found = integrations.find(({ integration }) => toolId?.startsWith(`${integration}.`));
	return found?.tools.find((tool) => tool.toolId === toolId)?.rule;
}

/** The version that the user last allowed, if the code has changed since. `allowed` is newest first. */
export function changedSince({ toolHash }: Pick<Approval, "toolHash">, allowed: readonly Receipt[]): CallFacts["changed"] {
	const last = allowed.find(({ decision }) => isPermission(decision?.decision));
	if (last?.toolHash === undefined || toolHash === undefined || last.toolHash === toolHash) return undefined;
	return { toolHash: last.toolHash, at: last.at };
}
