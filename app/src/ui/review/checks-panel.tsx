import type { DeliveryAction, LintFinding } from "@xworkmate/contracts";
import { CircleCheck, Hand } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { lintWords } from "../../strings/plan-code-words.ts";
import { channelWords } from "../../strings/plan-words.ts";
import { reviewWords as words } from "../../strings/review-words.ts";
import { codeTitle } from "../../text/code-title.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { visibleProse } from "../text/visible-text.ts";
import type { Preview } from "./use-review.ts";

interface ChecksPanelProps {
	readonly action: DeliveryAction;
	readonly preview: Preview | undefined;
	/** What the rules of the channel found in the text that is shown. */
	readonly lint: readonly LintFinding[];
	/** True if the message is held for the user's decision. */
	readonly canDecide: boolean;
	/** True if the preview differs from what was built to be sent, because something has changed since. */
	readonly isRebuilt: boolean;
}

/** What the checks found in a message, and the hash and size of its exact bytes. */
export function ChecksPanel({ action, preview, lint, canDecide, isRebuilt }: ChecksPanelProps) {
	const { code, channel } = action;
	const isLint = code?.startsWith("LINT_") === true;
	const reason = isLint ? undefined : codeTitle(action);
	const hash = isRebuilt ? action.payloadHash : preview?.payloadHash;
	const after = isRebuilt ? words.bytesDiffer : words.bytesWere;
	const size = preview?.parts.reduce((sum, part) => sum + part.bytes, 0) ?? 0;
	return (
		<aside className="panel" aria-label={words.checks}>
			<header className="bar">
				<h2>{words.checks}</h2>
			</header>
			<div className="scroll">
				<section className="sec" aria-live="polite">
					<h3>{words.findings}</h3>
					<ul className="finds">
						{reason !== undefined && (
							<li>
								<Icon of={Hand} className="no" />
								<span>{reason}</span>
							</li>
						)}
						{lint.map(({ rule, excerpt, at }) => (
							<li key={`${rule} ${at ?? ""}`}>
								<Icon of={Hand} className="no" />
								<span>{fill(lintWords[rule], { channel: channelWords[channel] })}</span>
								{excerpt !== undefined && <small>{visibleProse(excerpt)}</small>}
							</li>
						))}
						{reason === undefined && lint.length === 0 && (
							<li>
								<Icon of={CircleCheck} className="ok" />
								<span>{words.nothingFound}</span>
							</li>
						)}
					</ul>
				</section>
				{hash !== undefined && (
					<section className="sec">
						<h3>{words.bytes}</h3>
						<dl className="bytes">
							<dt>{words.sha}</dt>
							<dd>
								<code>{hash.replace(/(.{4})(?=.)/g, "$1 ")}</code>
							</dd>
							{!isRebuilt && (
								<>
									<dt>{words.size}</dt>
									<dd>{fill(words.sizeOf, { count: size.toLocaleString("en") })}</dd>
								</>
							)}
						</dl>
						<p>
							<CopyButton text={hash} label={words.copyHash} word={words.copyHash} />
						</p>
						<p className="hint">{canDecide ? words.bytesSay : after}</p>
					</section>
				)}
			</div>
		</aside>
	);
}
