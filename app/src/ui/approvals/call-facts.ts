import type { Approval, Integration, PolicyDecision, Receipt, Sha256 } from "@xworkmate/contracts";
import { isPermission } from "@xworkmate/contracts/is-permission";
import { useCallback, useEffect, useState } from "react";
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
	/** Whether the user accepted the code that would run; `unsure` is treated as no. */
	readonly accepted: "yes" | "no" | "unsure";
	/** The user's rule for the tool. */
	readonly rule?: PolicyDecision;
	/** The version that the user last allowed, if it differs from this one. */
	readonly changed?: { readonly toolHash: Sha256; readonly at: string };
	/** How many reads in a row have failed, at least in part, so that some of the facts shown are older. */
	readonly failedReads?: number;
	again(): void;
}

/** The prefix of the ids of the bridge's own tools, whose code needs no acceptance. No integration can have this name. */
const OWN_GROUP = "xworkmate.";

/** How many of the tool's latest permissions are examined. */
const LATEST = 20;
const nothing = () => undefined;
export const unread: CallFacts = { isRead: false, accepted: "unsure", again: nothing };

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
	return ({ isRead, accepted, rule, failedReads = 0, ...before }) => {
		const changed = allowed.status === "fulfilled" ? changedSince(approval, allowed.value?.items ?? []) : before.changed;
		const input = whole.status === "fulfilled" ? whole.value.input : before.input;
		const wasInputRead = isRead && before.inputProblem === undefined;
		return {
			isRead: true,
			...(tools.status === "fulfilled" ? knownTool(approval, tools.value.integrations) : { accepted, ...(rule && { rule }) }),
			...(whole.status === "rejected" && !wasInputRead && { inputProblem: sayError(whole.reason) }),
			...(input !== undefined && { input }),
			...(changed && { changed }),
			...(isRead && hasFailed && { failedReads: failedReads + 1 }),
		};
	};
}

/** Only the exact code that would run counts as accepted. */
export function knownTool(
	{ toolId, toolHash, unaccepted }: Pick<Approval, "toolId" | "toolHash" | "unaccepted">,
	integrations: readonly Integration[],
): Pick<CallFacts, "accepted" | "rule"> {
	if (toolId?.startsWith(OWN_GROUP) === true && unaccepted !== true) return { accepted: "yes" };
	const found = integrations.find(({ integration }) => toolId?.startsWith(`${integration}.`));
	const rule = found?.tools.find((tool) => tool.toolId === toolId)?.rule;
	const isAccepted = toolHash !== undefined && found?.accepted?.toolHash === toolHash;
	return { accepted: isAccepted ? "yes" : "no", ...(rule && { rule }) };
}

/** The version that the user last allowed, if the code has changed since. `allowed` is newest first. */
export function changedSince({ toolHash }: Pick<Approval, "toolHash">, allowed: readonly Receipt[]): CallFacts["changed"] {
	const last = allowed.find(({ decision }) => isPermission(decision?.decision));
	if (last?.toolHash === undefined || toolHash === undefined || last.toolHash === toolHash) return undefined;
	return { toolHash: last.toolHash, at: last.at };
}
