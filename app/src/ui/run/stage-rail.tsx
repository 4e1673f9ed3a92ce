import { words } from "../../strings/interface.ts";
import { formatClock, formatSpan } from "../text/format.ts";
import type { RailSegment } from "../turn/rail.ts";

/** The stages of a run, and which of them it has reached according to its records. */
export function StageRail({ segments }: { readonly segments: readonly RailSegment[] }) {
	return (
		<ol className="hops" aria-label={words.rail.label}>
			{segments.map(({ key, label, state, milliseconds }) => (
				<li
					key={key}
					className={`hop ${state === "waiting" ? "" : state}`}
					aria-current={state === "now" || state === "need" || state === "lost" ? "step" : undefined}
				>
					<span>
						<span className="lbl cut">{label}</span>
						{milliseconds !== undefined && (
							<span className="num">{state === "done" ? formatSpan(milliseconds) : formatClock(milliseconds)}</span>
						)}
					</span>
				</li>
			))}
		</ol>
	);
}
