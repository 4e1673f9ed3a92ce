import type { ReactNode } from "react";
import { planRefusals } from "../../strings/plans/plan-refusals.ts";
import { AppRefusal, sayError } from "../connection/app-refusal.ts";
import { InlineCode } from "../rich-text/inline-code.tsx";

/** An error from the bridge or the app: a title, what happened, and what can be done about it. */
export function PlanRefusal({ error, children }: { readonly error: unknown; readonly children?: ReactNode }) {
	const code =
		error instanceof AppRefusal && Object.hasOwn(planRefusals, error.code) ? (error.code as keyof typeof planRefusals) : undefined;
	return (
		<div className="note bad" role="alert">
			<p className="grow">
				{code !== undefined && <b>{planRefusals[code].title}. </b>}
				<InlineCode text={sayError(error)} />
			</p>
			{children}
		</div>
	);
}
