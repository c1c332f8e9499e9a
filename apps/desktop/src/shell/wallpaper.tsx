import type { SystemFiles } from "../system/system-files.ts";
import { useWatched } from "../watched.ts";

/** The picture of the computer's owner; without one, the score lines of the choir, in the theme's own colours. */
export function Wallpaper({ system }: { system: SystemFiles }) {
  const picture = useWatched(system.wallpaper);
  if (picture !== undefined) return <img className="wallpaper wallpaper-picture" src={picture} alt="" />;
  return (
    <svg className="wallpaper" viewBox="0 0 1440 816" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <radialGradient id="wallpaper-glow" cx="0.72" cy="0.16" r="0.9">
          <stop offset="0" className="wallpaper-warm" />
          <stop offset="0.65" className="wallpaper-cool" />
        </radialGradient>
      </defs>
      <rect width="1440" height="816" fill="url(#wallpaper-glow)" />
      <g className="wallpaper-lines">
        <path d="M-20 668 170 590 268 624 440 498 520 512 650 404" />
        <path d="M650 404 752 424 906 286 1012 310 1186 168 1296 186 1470 74" />
        <path d="M520 512 572 660 706 730 768 840" opacity="0.55" />
        <path d="M906 286 880 138 936 -20" opacity="0.45" />
        <path d="M1186 168 1254 344 1392 432 1462 530" opacity="0.4" />
        <path d="M170 590 120 700 176 840" opacity="0.35" />
      </g>
      <g className="wallpaper-nodes">
        <circle cx="520" cy="512" r="2.5" />
        <circle cx="906" cy="286" r="2.5" />
        <circle cx="1186" cy="168" r="2.5" />
        <circle cx="170" cy="590" r="2.5" />
      </g>
    </svg>
  );
}
