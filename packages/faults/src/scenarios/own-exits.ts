/** @deprecated Import it from './answers.ts'. Kept for branches that are not merged yet. */
export { countOwnExits } from './answers.ts';
