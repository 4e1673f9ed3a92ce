import type { Approval } from "@xworkmate/contracts";
import { fill, words } from "../../strings/interface.ts";
import { type AskedPart, type AskedView, askedView } from "../../text/calls/asked-view.ts";
import { Clamped } from "../rich-text/clamped.tsx";
import { FoldedCode } from "../rich-text/folded-code.tsx";
import { VisibleCode } from "../rich-text/visible-code.tsx";
import { formatSpan } from "../text/format.ts";
import { visibleName, visibleText } from "../text/visible-text.ts";
import { RequestTerms } from "./request-terms.tsx";

interface AskedInputProps {
	readonly approval: Approval;
	readonly provider: string;
	/** The project folder in which the thread's runs work, if any. */
	readonly where: string | undefined;
	readonly isLost: boolean;
}

/** An agent's request in readable form, followed by the rest of its input. Its title and description are shown as the agent's words. */
export function AskedInput({ approval, provider, where, isLost }: AskedInputProps) {
	const view = askedView(approval);
	const { command, text, parts } = view;
	const { proposed, says } = approval;
	const main = command ?? text;
	return (
		<div className="body asked">
			{view.description !== undefined && (
				<p className="wrap pre">{fill(words.ask.says, { provider, text: visibleText(view.description, "keep").text })}</p>
			)}
			{view.title !== undefined && (
				<p className="asked-title">
					<Clamped text={fill(words.ask.called, { provider, title: visibleName(view.title) })} />
				</p>
			)}
			{command === undefined && text === approval.title && (
				<p className="muted small">{fill(isUnstated(approval, "title") ? words.ask.untold : words.ask.ownWords, { provider })}</p>
			)}
			{main !== undefined && <VisibleCode text={main} label={words.ask.whole} whole />}
			{parts.map((part) => (
				<div key={part.name} className="asked-part">
					<p className="muted small wrap">{labelOf(part)}</p>
					<FoldedCode text={part.value} label={labelOf(part)} />
				</div>
			))}
			{proposed !== undefined && (
				<div className="asked-part">
					<p className="muted small wrap">{words.thread.reportedChange}</p>
					<FoldedCode text={proposed.text} label={words.thread.reportedChange} />
				</div>
			)}
			{says !== undefined && (
				<div className="asked-part">
					<p className="muted small wrap">{words.ask.agentsWords}</p>
					<FoldedCode text={says.text} label={words.ask.agentsWords} />
				</div>
			)}
			{[approval.input, proposed, says].some((preview) => preview?.truncated === true) && (
				<p className="st st-need small">{words.ask.truncated}</p>
			)}
			<Facts approval={approval} provider={provider} where={where} isLost={isLost} view={view} />
			<Folded view={view} />
		</div>
	);
}

/** True if the agent did not give the title or the kind of the request. */
function isUnstated({ unstated = [] }: Approval, what: "title" | "kind"): boolean {
	return unstated.includes(what);
}

function labelOf({ name, is, under }: AskedPart): string {
	if (is === undefined) return visibleName(name);
	return under === undefined ? words.ask.parts[is] : fill(words.ask.partOf, { part: words.ask.parts[is], under: visibleName(under) });
}

function Facts({ approval, provider, where, isLost, view }: AskedInputProps & { readonly view: AskedView }) {
	const { toolKind, alsoNamed = [] } = approval;
	const limit =
		view.limitMs !== undefined ? formatSpan(view.limitMs) : view.limit !== undefined && fill(words.ask.limitOf, { value: view.limit });
	return (
		<dl className="kv">
			<dt>{words.ask.where}</dt>
			<dd className="wrap">{view.directory === undefined ? placeOf(approval, where) : visibleName(view.directory)}</dd>
			{limit !== false && (
				<>
					<dt>{words.ask.limit}</dt>
					<dd>{limit}</dd>
				</>
			)}
			{alsoNamed.length > 0 && (
				<>
					<dt>{words.ask.alsoNames}</dt>
					<dd className="wrap">
						{alsoNamed.map((path) => (
							<div key={path}>
								<code>{visibleName(path)}</code>
							</div>
						))}
					</dd>
				</>
			)}
			<dt>{words.ask.kind}</dt>
			<dd>{isUnstated(approval, "kind") ? words.ask.kindUntold : fill(words.ask.kindOf, { kind: words.ask.kinds[toolKind] })}</dd>
			<RequestTerms approval={approval} provider={provider} saysEnd={!isLost} />
		</dl>
	);
}

/** The folder that the run works in: from its request or, if an older bridge made the request, from the thread. */
function placeOf({ asker }: Approval, where: string | undefined): string {
	if (asker === undefined) return where ?? words.ask.here;
	if (asker.workingDirectory !== undefined) return visibleName(asker.workingDirectory);
	return asker.target === "gateway" ? words.ask.atGateway : words.ask.here;
}

/** The remaining input, so that nothing is hidden. */
function Folded({ view: { fields, raw } }: { readonly view: AskedView }) {
	return (
		<>
			{fields.length > 0 && (
				<details className="program">
					<summary>{fill(words.ask.other, { count: String(fields.length) })}</summary>
					<dl className="kv wide">
						{fields.map(({ name, value }) => (
							<div key={name} className="kv-row">
								<dt className="wrap">{visibleName(name)}</dt>
								<dd className="wrap pre">{visibleText(value, "keep").text}</dd>
							</div>
						))}
					</dl>
				</details>
			)}
			{raw !== undefined && (
				<details className="program">
					<summary>{words.ask.raw}</summary>
					<VisibleCode text={raw} label={words.ask.raw} whole />
				</details>
			)}
		</>
	);
}
