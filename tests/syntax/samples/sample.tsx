import React from 'react';

interface Props {
  title: string;
}

export const Card = React.memo(({ title }: Props) => {
  return <div className="card">{title}</div>;
});

@Component({
  selector: 'app-root',
})
export class Root {
  @Input()
  name = '';
}
