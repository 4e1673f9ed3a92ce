import type { MethodResult } from "@xworkmate/contracts";
import { Check, CircleQuestionMark, X } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { channelsWords as words } from "../../strings/plans/channels-words.ts";
import { channelStepWords } from "../../strings/plans/plan-words.ts";
import { isOpen, testSpan } from "../../text/plans/channel-test.ts";
import { Icon } from "../components/icon.tsx";
import { InlineCode } from "../rich-text/inline-code.tsx";
import { visibleProse } from "../text/visible-text.ts";

export type Tested = MethodResult<"xworkmate.channels.test">;

/** The result of a test message, step by step. */
export function TestSteps({ tested: { steps, ok, tookMs, channel } }: { readonly tested: Tested }) {
	return (
		<section className="box-card" aria-label={words.test}>
			<h3>
				{words.test} <span className="muted normal small">{fill(words.tookMs, { time: testSpan(tookMs) })}</span>
			</h3>
			<ol className="steps-r" aria-live="polite">
				{steps.map((step) => (
					<li key={step.step}>
						<Icon
							of={step.ok ? Check : isOpen(channel.tested) ? CircleQuestionMark : X}
							small
							className={step.ok ? "ok-i" : isOpen(channel.tested) ? "muted" : "no"}
						/>
						<span>{channelStepWords[step.step]}</span>
						<small>
							<InlineCode text={visibleProse(step.message)} />
						</small>
					</li>
				))}
			</ol>
			{!ok && channel.tested?.problem !== undefined && (
				<p className={isOpen(channel.tested) ? "note" : "note bad"}>
					<InlineCode text={channel.tested.problem.fix} />
				</p>
			)}
		</section>
	);
}
