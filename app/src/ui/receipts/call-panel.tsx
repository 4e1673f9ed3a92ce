import type { Preview, Receipt, ReceiptId } from "@xworkmate/contracts";
import { ArrowLeft, ChevronRight, X } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { callWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { receiptsPageWords as words } from "../../strings/receipts/receipts-page-words.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { RiskMark } from "../components/risk-mark.tsx";
import { callApp } from "../connection/call-app.ts";
import { usePlanRead } from "../plans/use-plans.ts";
import { VisibleCode } from "../rich-text/visible-code.tsx";
import { useApp } from "../state/app-context.tsx";
import { digitsOf } from "../text/digits.ts";
import { visibleName, visibleText } from "../text/visible-text.ts";
import { nameOfCall, ownerOf } from "./receipt-groups.ts";
import { Trail } from "./trail.tsx";

interface CallPanelProps {
	/** The receipt's id, from the address. */
	readonly call: string;
	/** Returns a link to the plan with this id, or to the thread of the run with this id if that thread is known. */
	whereOf(id: string, isPlan: boolean): ReactNode;
	close(): void;
}

/** One call: what it did, all of its receipts, and how they are chained. */
export function CallPanel({ call, whereOf, close }: CallPanelProps) {
	const back = useRef<HTMLButtonElement>(null);
	const { pane, app } = useApp();
	const ask = useCallback(() => callApp("receipt", { receiptId: call as ReceiptId }), [call]);
	// A receipt never changes, but more receipts of its call or message may follow. Its id begins with that of its run or plan.
	const owner = call.slice(0, call.lastIndexOf("."));
	const { value, problem, read } = usePlanRead(ask, owner, [app.threads[0]?.updatedAt]);
	useEffect(() => {
		if (pane === "panel" && back.current?.checkVisibility()) back.current.focus();
	}, [pane]);
	const shown = value?.receipt.receiptId === call ? value : undefined;
	const title = shown === undefined ? words.call : rangeOf(shown.trail);
	return (
		<aside
			className="panel log"
			aria-label={words.call}
			onKeyDown={(event) => {
				if (event.key !== "Escape") return;
				event.preventDefault();
				close();
			}}
		>
			<header className="bar">
				<button type="button" className="ib back" ref={back} aria-label={words.back} onClick={close}>
					<Icon of={ArrowLeft} />
				</button>
				<h2 className="panel-title cut">{title}</h2>
				<span className="grow" />
				{shown !== undefined && <CopyButton text={() => JSON.stringify(shown.trail, undefined, "\t")} label={words.copy} />}
				<button type="button" className="ib hide-n" aria-label={words.close} title={words.close} onClick={close}>
					<Icon of={X} />
				</button>
			</header>
			<div className="pane" aria-busy={shown === undefined && problem === undefined}>
				{shown === undefined && (
					<p className="flex muted">
						<span className="wrap">{problem ?? words.loading}</span>
						{problem !== undefined && (
							<button type="button" className="btn" onClick={read}>
								{words.again}
							</button>
						)}
					</p>
				)}
				{shown !== undefined && <CallDetail trail={shown.trail} whereOf={whereOf} />}
			</div>
		</aside>
	);
}

function rangeOf(trail: readonly Receipt[]): string {
	const [first, last] = [trail[0]?.n ?? 0, trail.at(-1)?.n ?? 0];
	return first === last ? fill(words.receipt, { n: first }) : fill(words.receipts, { first, last });
}

function CallDetail({ trail, whereOf }: { readonly trail: readonly Receipt[] } & Pick<CallPanelProps, "whereOf">) {
	const last = trail.at(-1);
	const isOurs = originOf(trail) === "executed";
	const asked = trail.find(({ input }) => input !== undefined);
	const done = trail.findLast(({ outcome }) => outcome !== undefined)?.outcome;
	const [toolId, risk] = [pick(trail, "toolId"), pick(trail, "risk")];
	const { name, note } = nameOfCall(trail);
	const [inputHash, toolHash] = [pick(trail, "inputHash"), pick(trail, "toolHash")];
	if (last === undefined) return null;
	return (
		<>
			<div>
				<p className="tool-line">
					{risk !== undefined && isOurs && <RiskMark risk={risk} />}
					{toolId !== undefined && <code className="tid">{visibleName(toolId)}</code>}
				</p>
				{name !== "" && <p className="ask-say">{visibleText(name, "keep").text}</p>}
				{note !== "" && <p className="small muted">{visibleText(note, "keep").text}</p>}
				<p className="small muted">
					{madeIn(trail)} {whereOf(ownerOf(last), last.planId !== undefined)}
				</p>
			</div>
			<section>
				<h3>{words.trail}</h3>
				<div className="trail">
					<Trail receipts={trail} />
				</div>
			</section>
			{asked?.input !== undefined && <Previewed title={words.input} preview={asked.input} hash={inputHash} />}
			{done?.preview !== undefined && <Previewed title={words.output} preview={done.preview} hash={done.outputHash} />}
			<section>
				<h3>{words.chain}</h3>
				<dl className="kv">
					<dt>{fill(words.receipt, { n: last.n })}</dt>
					<dd className="hash64">{last.hash}</dd>
					<dt>{words.previous}</dt>
					<dd className="hash64">{last.prevHash}</dd>
					{toolHash !== undefined && (
						<>
							<dt>{words.toolCode}</dt>
							<dd className="hash64">{toolHash}</dd>
						</>
					)}
				</dl>
			</section>
		</>
	);
}

/** Who made the call. XWorkmate's refusal of an answer to an agent's request is one of the call's receipts too, but isn't the first. */
function originOf([first]: readonly Receipt[]): Receipt["origin"] | undefined {
	return first?.origin;
}

/** The words before the thread or plan that say how the call was made. A call that was not started is not called executed. */
function madeIn(trail: readonly Receipt[]): string {
	if (trail[0]?.planId !== undefined) return words.messageOf;
	if (originOf(trail) === "reported") return words.reportedIn;
	if (trail.some(({ type }) => type === "tool.call.started")) return words.executedIn;
	return trail.some(({ type }) => type.startsWith("tool.call.")) ? words.calledIn : words.recordedIn;
}

function pick<K extends keyof Receipt>(trail: readonly Receipt[], name: K): Receipt[K] | undefined {
	return trail.find((receipt) => receipt[name] !== undefined)?.[name];
}

function Previewed({ title, preview, hash }: { readonly title: string; readonly preview: Preview; readonly hash: string | undefined }) {
	const [isOpen, setOpen] = useState(false);
	return (
		<details className="input" onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary>
				<Icon of={ChevronRight} small className="chev" />
				{title}
				{hash !== undefined && (
					<span className="hash">
						<span className="vh">{callWords.hash}</span> <code>{digitsOf(hash)}</code>
					</span>
				)}
			</summary>
			{isOpen && (
				<>
					<VisibleCode text={preview.text} label={title} whole />
					{preview.truncated && <p className="muted small input-say">{words.cut}</p>}
				</>
			)}
		</details>
	);
}
