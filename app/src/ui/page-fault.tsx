import type { FallbackProps } from "react-error-boundary";
import { PartFault } from "./on-demand/part-fault.tsx";

/** Shown in place of a page that failed to load or to render. The rest of the frame is not affected. */
export function PageFault(props: FallbackProps) {
	return (
		<main className="main" tabIndex={-1}>
			<PartFault {...props} className="page" />
		</main>
	);
}
