import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import { useState } from "react";
import { callWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { lateAnswer } from "../../text/calls/late-answer.ts";
import { sayError } from "../connection/app-refusal.ts";
import { useStore } from "../connection/store.ts";
import { useApp, useBridgeNow } from "../state/app-context.tsx";
import { preferences } from "../state/preferences.ts";
import { say } from "../state/toasts.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { answerOf } from "./answer-of.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { useCallFacts } from "./call-facts.ts";
import { decide } from "./decide.ts";
import { isUnheard, useUnheardAnswer } from "./unheard-answer.ts";

interface ApprovalPromptProps {
	readonly approval: Approval;
	readonly provider: string;
	/** True for a row of a card that shows several requests. */
	readonly inGroup?: boolean;
}

/** A request with its answers. The newest record is shown, whether it came with the turn or with the app's state. */
export function ApprovalPrompt({ approval, provider, inGroup = false }: ApprovalPromptProps) {
	const { app, state, link, announce } = useApp();
	const thread = app.threads.find(({ threadId }) => threadId === approval.threadId);
	const folder = thread?.workingDirectory;
	const now = useBridgeNow();
	const { singleKeys } = useStore(preferences);
	const recorded = useStore(link.answers).get(approval.approvalId);
	const [answering, setAnswering] = useState<ApprovalDecision>();
	const [problem, setProblem] = useState<string>();
	const [unheardAt, setUnheardAt] = useState<string>();
	const facts = useCallFacts(approval);
	const [stays] = useState(approval.state === "pending");
	const newest = recorded !== undefined && approval.state === "pending" ? recorded : approval;
	const isChoiceKnown = newest.state === "pending" && facts?.options !== undefined;
	useUnheardAnswer(approval.approvalId, unheardAt, (record) => {
		setUnheardAt(undefined);
		setProblem(record.state === "pending" ? fill(callWords.answerUnheard, { time: formatTime(unheardAt ?? "") }) : undefined);
		if (record.state !== "pending") link.seeAnswer(record);
	});
	const answer = async (decision: ApprovalDecision) => {
		const at = new Date().toISOString();
		setAnswering(decision);
		setProblem(undefined);
		setUnheardAt(undefined);
		try {
			const { record, applied } = await decide(approval, decision);
			const { what } = answerOf(record);
			if (!applied) say(lateAnswer(record, what, now));
			announce(what);
			link.seeAnswer(record);
		} catch (error) {
			setProblem(sayError(error));
			if (isUnheard(error)) setUnheardAt(at);
		} finally {
			setAnswering(undefined);
		}
	};
	return (
		<ApprovalCard
			approval={isChoiceKnown ? { ...newest, options: facts.options } : newest}
			provider={provider}
			now={now}
			singleKeys={singleKeys}
			{...(folder !== undefined && { where: visibleName(folder) })}
			stays={stays}
			inGroup={inGroup}
			{...(facts && { facts })}
			isLost={state !== "live" || thread?.asOf !== undefined}
			{...(answering && { answering })}
			{...(problem !== undefined && { problem })}
			decide={(decision) => void answer(decision)}
		/>
	);
}
