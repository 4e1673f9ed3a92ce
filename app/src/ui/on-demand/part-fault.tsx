import { useContext, useEffect, useRef } from "react";
import type { FallbackProps } from "react-error-boundary";
import { words } from "../../strings/interface.ts";
import { AppContext } from "../state/app-context.tsx";
import { PartNotLoaded } from "./on-demand.ts";

/**
 * Shown in place of a part that failed to load or to render; the part's error boundary calls `forgetFailure`. Text that was typed elsewhere
 * on the page is not affected. If it is in a message field, it also survives a reload.
 */
export function PartFault({ error, resetErrorBoundary, className }: FallbackProps & { readonly className: string }) {
	const isMissing = error instanceof PartNotLoaded;
	// Undefined if the frame of the page itself failed.
	const state = useContext(AppContext)?.state;
	const wasAway = useRef(false);
	useEffect(() => {
		if (state !== undefined && state !== "live") wasAway.current = true;
		else if (wasAway.current && isMissing) resetErrorBoundary();
	}, [state, isMissing, resetErrorBoundary]);
	return (
		<div className={className} role="alert">
			<p className="lead">{isMissing ? words.page.notLoaded : words.page.failed}</p>
			<p className="muted">{isMissing ? words.page.notLoadedSay : error instanceof Error ? error.message : String(error)}</p>
			<p className="flex">
				<button type="button" className="btn" onClick={resetErrorBoundary}>
					{words.page.again}
				</button>
				{isMissing && (
					<button type="button" className="btn" onClick={() => location.reload()}>
						{words.page.reload}
					</button>
				)}
			</p>
		</div>
	);
}
