import { Popover } from "@base-ui/react/popover";
import type { ReactNode } from "react";

interface PickPopupProps {
	readonly label: string;
	readonly children: ReactNode;
}

/** The popup of a choice in the composer, above its button if it fits. It is inside the frame so that the styles for phones apply to it. */
export function PickPopup({ label, children }: PickPopupProps) {
	return (
		<Popover.Portal container={document.querySelector<HTMLElement>(".frame")}>
			<Popover.Positioner
				className="pop-layer"
				side="top"
				align="start"
				sideOffset={6}
				collisionAvoidance={{ side: "flip", align: "shift", fallbackAxisSide: "none" }}
			>
				<Popover.Popup className="pop pick-own" aria-label={label}>
					{children}
				</Popover.Popup>
			</Popover.Positioner>
		</Popover.Portal>
	);
}
