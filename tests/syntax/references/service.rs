use std::{fmt, collections::HashMap as Map};
use crate::net::Client;
use super::util::*;
pub use self::inner::{A, B as C};
mod inner;
extern crate serde;

#[derive(Debug, Clone)]
pub struct Svc<T> { repo: Arc<Repo>, http: net::Http, items: Vec<Item> }

impl<T> fmt::Display for Svc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.repo.name()) }
}
impl Svc<u8> {
    pub fn new(repo: Arc<Repo>, c: &mut Client) -> Result<Self, Error> {
        let http = net::Http::new(1);
        let mut x: Vec<Foo> = Vec::new();
        let y = Client { a: 1 };
        let z = c.connect().await?;
        Self::helper(&x);
        helper::<u8>(x);
        x.iter().map(Self::conv).map(handler).collect::<Vec<_>>();
        let w = Foo::builder().build();
        Ok(Self { repo, http })
    }
    fn helper(x: &Vec<Foo>) -> Option<Box<dyn Shape>> {}
}
trait Shape: Base + fmt::Debug { fn area(&self) -> f64; }
static X: Lazy<Foo> = Lazy::new(|| make());
#[tokio::main]
async fn main() { let s: Svc<u8> = Svc::default(); println!("{}", s.run(1)); }
