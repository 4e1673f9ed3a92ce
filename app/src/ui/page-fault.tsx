import type { FallbackProps } from "react-error-boundary";
import { words } from "../strings/interface.ts";

/** Replaces a page that failed to render; the rest of the frame is not affected. */
export function PageFault({ error, resetErrorBoundary }: FallbackProps) {
	return (
		<main className="main" tabIndex={-1}>
			<div className="page" role="alert">
				<p className="lead">{words.page.failed}</p>
				<p className="muted">{error instanceof Error ? error.message : String(error)}</p>
				<p>
					<button type="button" className="btn" onClick={resetErrorBoundary}>
						{words.page.again}
					</button>
				</p>
			</div>
		</main>
	);
}
