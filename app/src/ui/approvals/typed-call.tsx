import type { Approval } from "@xworkmate/contracts";
import { ChevronRight, GitCompare, ShieldQuestionMark } from "lucide-react";
import { Suspense, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { callWords } from "../../strings/calls/call-words.ts";
import { fill, words } from "../../strings/interface.ts";
import { codeNotes } from "../../text/calls/tool-code.ts";
import { Icon } from "../components/icon.tsx";
import { RiskMark } from "../components/risk-mark.tsx";
import { forgetFailure, OnDemand } from "../on-demand/on-demand.ts";
import { PartFault } from "../on-demand/part-fault.tsx";
import { VisibleCode } from "../rich-text/visible-code.tsx";
import { hrefOf } from "../state/route.ts";
import { digitsOf } from "../text/digits.ts";
import { formatBytes, formatWhen } from "../text/format.ts";
import { visibleName, visibleText } from "../text/visible-text.ts";
import type { CallFacts } from "./call-facts.ts";
import { RequestTerms } from "./request-terms.tsx";
import { wholeInput } from "./whole-input.ts";

const changes = new OnDemand(() => import("../sources/version-changes.tsx").then((module) => module.default));

interface TypedCallProps {
	readonly approval: Approval;
	readonly provider: string;
	readonly facts: CallFacts;
	readonly isLost: boolean;
	readonly isInputOpen: boolean;
	/** True if the card of a group already says when the requests end without an answer. */
	readonly inGroup: boolean;
	setInputOpen(isOpen: boolean): void;
}

/** What a typed call would do: its risk in XWorkmate's words, the tool's own description, the whole input, and what an answer covers. */
export function TypedCall(props: TypedCallProps) {
	const { approval, facts } = props;
	const isOpen = approval.state === "pending";
	return (
		<>
			{isOpen && facts.isRead && <Notes approval={approval} facts={facts} />}
			<div className="body asked">
				<p className="tool-line">
					{approval.risk !== undefined && <RiskMark risk={approval.risk} />}
					<code className="tid">{visibleName(approval.toolId ?? "")}</code>
				</p>
				<p className="ask-say">
					{facts.isRead && facts.code !== "accepted" && approval.words !== undefined && (
						<span className="muted">{callWords.toolSays} </span>
					)}
					{approval.words === undefined || approval.words === "" ? callWords.noWords : visibleText(approval.words, "keep").text}
				</p>
				<Input {...props} />
				{isOpen && <CallTerms {...props} />}
			</div>
		</>
	);
}

function integrationOf({ toolId }: Approval): string {
	return toolId?.split(".", 1)[0] ?? "";
}

/** Notes that the user should see first, because they change how to read the rest. */
function Notes({ approval, facts: { code, changed } }: Pick<TypedCallProps, "approval" | "facts">) {
	const [isShown, setShown] = useState(false);
	const integration = integrationOf(approval);
	const { toolHash } = approval;
	const note = codeNotes[code];
	return (
		<>
			{note !== undefined && (
				<div className="note">
					<Icon of={ShieldQuestionMark} />
					<p className="grow">
						<b>{note.is}</b> {note.say}
					</p>
					{code !== "gone" && (
						<a className="btn" href={hrefOf({ page: "tools", review: integration })}>
							{code === "forbidden" ? callWords.change : callWords.review}
						</a>
					)}
				</div>
			)}
			{code !== "gone" && changed !== undefined && (
				<div className="note">
					<Icon of={GitCompare} />
					<p className="grow">
						<b>{callWords.changed}</b> {fill(callWords.changedSay, { when: formatWhen(changed.at, Date.now()) })}
					</p>
					<button type="button" className="btn" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
						{isShown ? callWords.hideChanges : callWords.showChanges}
					</button>
				</div>
			)}
			{isShown && code !== "gone" && changed !== undefined && toolHash !== undefined && (
				<ErrorBoundary fallbackRender={(fault) => <PartFault {...fault} className="body" />} onError={forgetFailure}>
					<Suspense fallback={<p className="body muted">{words.page.loading}</p>}>
						<changes.Part integration={integration} before={changed.toolHash} after={toolHash} />
					</Suspense>
				</ErrorBoundary>
			)}
		</>
	);
}

function Input({ approval, facts, isInputOpen, setInputOpen }: TypedCallProps) {
	const { inputHash, toolHash } = approval;
	const { text, bytes, fields } = wholeInput(facts.input ?? approval.input?.text ?? "");
	const isWhole = facts.input !== undefined || (facts.inputProblem === undefined && approval.input?.truncated === false);
	const size = fields === undefined ? callWords.size : fields === 1 ? callWords.oneField : callWords.fields;
	return (
		<details className="input" open={isInputOpen} onToggle={(event) => setInputOpen(event.currentTarget.open)}>
			<summary>
				<Icon of={ChevronRight} small className="chev" />
				{callWords.whole}
				{isWhole && <span className="muted">{fill(size, { count: fields ?? 0, bytes: formatBytes(bytes) })}</span>}
				<span className="hash">
					{callWords.hash} <code>{digitsOf(inputHash)}</code>
				</span>
			</summary>
			{isInputOpen && (
				<>
					{facts.inputProblem !== undefined && (
						<p className="flex st-bad wrap input-say" role="alert">
							{fill(callWords.noInput, { problem: facts.inputProblem })}
							<button type="button" className="btn" onClick={facts.again}>
								{callWords.again}
							</button>
						</p>
					)}
					{text !== "" && <VisibleCode text={text} label={callWords.whole} whole />}
					{!isWhole && facts.isRead && approval.input?.truncated === true && <p className="st st-need small">{words.ask.truncated}</p>}
					<dl className="kv">
						<dt>{callWords.hash}</dt>
						<dd className="hash64">{inputHash}</dd>
						{toolHash !== undefined && (
							<>
								<dt>{callWords.version}</dt>
								<dd className="hash64">{toolHash}</dd>
							</>
						)}
					</dl>
				</>
			)}
		</details>
	);
}

/** What an answer allows, for how long, and what happens without one. */
function CallTerms({ approval, provider, facts, isLost, inGroup }: TypedCallProps) {
	const { secrets = [] } = approval;
	const named = secrets.map(visibleName).join(", ");
	return (
		<dl className="kv">
			{secrets.length > 0 && (
				<>
					<dt>{callWords.secret}</dt>
					<dd className="wrap">{fill(secrets.length === 1 ? callWords.secretSay : callWords.secretsSay, { names: named })}</dd>
				</>
			)}
			{facts.rule === "ask" && (
				<>
					<dt>{callWords.why}</dt>
					<dd>
						{callWords.whySay}{" "}
						<a className="link" href={hrefOf({ page: "tools" })}>
							{callWords.change}
						</a>
					</dd>
				</>
			)}
			<RequestTerms approval={approval} provider={provider} saysEnd={!isLost && !inGroup} />
		</dl>
	);
}
